// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.Receives.SharedReceiveQueue;

/** A listening address of a provider; see {@link RdmaProvider#listen(InetSocketAddress, int, ConnectionAcceptor)}. */
public interface RdmaListener extends AutoCloseable {

    /** The address on which it listens, with the actual port. */
    InetSocketAddress localAddress();

    /**
     * Stops listening, and waits a short time until another listener can have the address. Does not affect established
     * connections, nor their shared receive queue. Idempotent.
     */
    @Override
    void close();

    /** Accepts or rejects incoming connection requests. Called on a provider's thread; must not block. */
    @FunctionalInterface
    interface ConnectionAcceptor {

        /**
         * Answers a connection request by exactly one call of {@link Request#accept} or {@link Request#reject}, at once or
         * later from any thread. A request that is not answered within the provider's set-up timeout is rejected.
         */
        void connectionRequested(Request request);

        /** A peer's connection request. */
        interface Request {
            /** The peer's address. */
            InetSocketAddress remoteAddress();

            /** The initiator's private data; empty if it sent none. */
            byte[] privateData();

            /**
             * The number of RDMA Reads that the initiator answers at once (its IRD); if it is 0, this side may issue
             * none.
             */
            int initiatorInboundReads();

            /**
             * The listener's shared receive queue on the device that received the request; the same object for all requests
             * on that device. Empty if the listener was opened without one, or if the device or its transport does not
             * support it.
             */
            Optional<SharedReceiveQueue> sharedReceiveQueue();

            /**
             * Accepts the request. The handler gets the queue pair by {@link Handler#established} when the
             * connection is established. If that fails, only {@link Handler#disconnected} is called.
             *
             * @throws IllegalArgumentException if the transport does not allow the parameters, or if they name another
             *     provider's memory or a shared receive queue other than {@link #sharedReceiveQueue}
             */
            void accept(ConnectionParameters parameters, Handler handler);

            /**
             * Rejects the request.
             *
             * @param privateData sent to the initiator with the rejection
             */
            void reject(byte[] privateData);
        }
    }
}
