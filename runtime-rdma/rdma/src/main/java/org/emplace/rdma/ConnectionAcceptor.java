// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.net.InetSocketAddress;
import java.util.Optional;

/** Decides about incoming connection requests. Called on a provider's thread; must not block. */
@FunctionalInterface
public interface ConnectionAcceptor {

    /**
     * Answers a connection request by exactly one call of {@link Request#accept} or {@link Request#reject}, at once or later from any
     * thread. A request that is not answered within the provider's set-up timeout is rejected.
     */
    void connectionRequested(Request request);

    /** A peer that wants a connection. */
    interface Request {
        /** Where the request came from. */
        InetSocketAddress remoteAddress();

        /** The initiator's private data; empty if it sent none. */
        byte[] privateData();

        /** Inbound Reads that the initiator offers (its IRD); 0 means that this side may issue no RDMA Read. */
        int initiatorInboundReads();

        /**
         * The shared receive queue of this listener on the device that the request came in by: the same object for all of its requests. Empty if the
         * listener was opened without one, or the device or its transport does not support it.
         */
        Optional<SharedReceiveQueue> sharedReceiveQueue();

        /**
         * Accepts. {@link QueuePairHandler#established} gets the queue pair once the connection is established; a failure before that is reported to
         * {@link QueuePairHandler#disconnected} alone.
         *
         * @throws IllegalArgumentException if the parameters do not fit the transport, or name another provider's memory, or a shared receive queue
         *     other than {@link #sharedReceiveQueue}
         */
        void accept(ConnectionParameters parameters, QueuePairHandler handler);

        /** Rejects, with private data for the initiator. */
        void reject(byte[] privateData);
    }
}
