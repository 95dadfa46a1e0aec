// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.transport.CallDispatcher;
import org.emplace.rpc.transport.ServiceDispatcher;
import org.emplace.rpcrdma.link.Direction;

/** Which end of a connection this side is, and what follows from that. */
sealed interface ConnectionRole {
    /** Backward-direction calls that either side lets be in flight. */
    int BACKWARD_CREDITS = 16;

    ConnectionOptions options();

    /** Which way this side's calls go. */
    Direction calls();

    /** The most calls of this side in flight. */
    int creditsToAskFor();

    /** The most calls of the peer in flight. */
    int creditsToGrant();

    /** Who answers the peer's calls. */
    CallDispatcher dispatcher();

    /** See {@link org.emplace.rpc.RpcConnection#serve}. */
    void serve(RpcService service);

    /** The connection is over. */
    void disconnected();

    /** The peer answers calls of this side into, and sends calls into, this many Receives. */
    default int receives() {
        return creditsToAskFor() + creditsToGrant();
    }

    /** The end that connected. It answers backward-direction calls by what it was told to serve on this connection. */
    record Initiator(ConnectionOptions options, ServiceDispatcher dispatcher) implements ConnectionRole {
        private static final int THREADS = 4;

        Initiator(ConnectionOptions options) {
            this(options, new ServiceDispatcher(THREADS, BACKWARD_CREDITS));
        }

        @Override
        public Direction calls() {
            return Direction.FORWARD;
        }

        @Override
        public int creditsToAskFor() {
            return options.credits();
        }

        @Override
        public int creditsToGrant() {
            return BACKWARD_CREDITS;
        }

        @Override
        public void serve(RpcService service) {
            dispatcher.add(service);
        }

        @Override
        public void disconnected() {
            dispatcher.close();
        }
    }

    /** The end that accepted. It answers calls by its listener's dispatcher. */
    record Acceptor(ConnectionOptions options, CallDispatcher dispatcher) implements ConnectionRole {

        @Override
        public Direction calls() {
            return Direction.BACKWARD;
        }

        @Override
        public int creditsToAskFor() {
            return BACKWARD_CREDITS;
        }

        @Override
        public int creditsToGrant() {
            return options.credits();
        }

        @Override
        public void serve(RpcService service) {
            throw new IllegalStateException(
                    "an accepted connection is served by its server: add " + service.name() + " there");
        }

        @Override
        public void disconnected() {}
    }
}
