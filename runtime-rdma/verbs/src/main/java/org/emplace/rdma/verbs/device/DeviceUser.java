// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.device;

/** A queue pair as its {@link VerbsDevice} sees it. Called on the loop. */
public interface DeviceUser {

    /** The QP number. */
    int queuePairNumber();

    /** The device has stopped the queue pair. */
    void stopped(String why);

    /** The device is about to be gone: end now, and {@link VerbsDevice#detach}. */
    void deviceRemoved();
}
