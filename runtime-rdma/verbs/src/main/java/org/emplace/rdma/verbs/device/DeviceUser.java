// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.device;

import org.emplace.rdma.RdmaException;

/** A queue pair, or a shared receive queue, as its {@link VerbsDevice} sees it. Called on the loop. */
public interface DeviceUser {

    /** Whether a queue pair, a completion queue or a shared receive queue by that native handle is its own. */
    boolean owns(long handle);

    /** It cannot be used any more, for a reason that the device gave: ends. */
    void lost(RdmaException.Reason reason, String why);

    /** The queue pair has stopped, and takes no more from its shared receive queue: what it took, it has completed. */
    void receivesTaken();

    /** The device is about to be gone: end now, and {@link VerbsDevice#detach}. */
    void deviceRemoved();
}
