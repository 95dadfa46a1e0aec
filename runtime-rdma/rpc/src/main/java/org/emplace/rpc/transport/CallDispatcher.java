// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

/** Takes the calls that transports receive. */
@FunctionalInterface
public interface CallDispatcher {

    /**
     * Takes over a received call: answers it exactly once by {@link IncomingCall#reply}, {@link IncomingCall#refuseChunks} or
     * {@link IncomingCall#drop}. Called on a transport's thread; never blocks and never throws.
     */
    void dispatch(IncomingCall call);
}
