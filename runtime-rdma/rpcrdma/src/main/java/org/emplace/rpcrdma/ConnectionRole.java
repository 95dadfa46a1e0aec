// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import org.emplace.rdma.RdmaException;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.transport.ServiceDispatcher;
import org.emplace.rpcrdma.header.ConnectionPrivateData;
import org.emplace.rpcrdma.link.CallDirection;
import org.emplace.rpcrdma.link.ConnectionReceives;
import org.emplace.rpcrdma.link.OwnReceives;

/** Which end of a connection this side is, and what follows from that. */
sealed interface ConnectionRole {
    ConnectionOptions options();

    /** The direction of this side's calls. */
    CallDirection calls();

    /** The most calls of this side in flight. */
    int creditsToAskFor();

    /** The most calls of the peer in flight. */
    int creditsToGrant();

    /** The dispatcher of the peer's calls. */
    ServiceDispatcher dispatcher();

    /** See {@link org.emplace.rpc.RpcConnection#serve}. */
    void serve(RpcService service);

    /** The connection is over. */
    void disconnected();

    /** The private data that this side sends to the peer. */
    default ConnectionPrivateData privateData(boolean remoteInvalidation) {
        return ConnectionPrivateData.offering(
                remoteInvalidation, options().inlineThreshold().orElse(ConnectionOptions.DEFAULT_INLINE_THRESHOLD));
    }

    /** Bytes of each Receive: the inline threshold that this side announces. */
    default int receiveSize() {
        return privateData(false).receiveSize();
    }

    /**
     * Receives of a connection's own, for the calls that it grants and the replies to those that it makes.
     *
     * @throws RdmaException with reason NO_RESOURCES if there is no memory for them
     */
    default ConnectionReceives ownReceives(Device device) throws RdmaException {
        return new OwnReceives(device.memory().pool(), receiveSize(), creditsToGrant(), creditsToAskFor());
    }

    /** The end that connected. It answers backward-direction calls by the services added to this connection. */
    record Initiator(ConnectionOptions options, ServiceDispatcher dispatcher) implements ConnectionRole {
        private static final int THREADS = 4;

        Initiator(ConnectionOptions options) {
            this(options, new ServiceDispatcher(THREADS, options.backwardCredits()));
        }

        @Override
        public CallDirection calls() {
            return CallDirection.FORWARD;
        }

        @Override
        public int creditsToAskFor() {
            return options.credits();
        }

        @Override
        public int creditsToGrant() {
            return options.backwardCredits();
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
    record Acceptor(ConnectionOptions options, ServiceDispatcher dispatcher) implements ConnectionRole {

        @Override
        public CallDirection calls() {
            return CallDirection.BACKWARD;
        }

        @Override
        public int creditsToAskFor() {
            return options.backwardCredits();
        }

        @Override
        public int creditsToGrant() {
            return options.credits();
        }

        @Override
        public void serve(RpcService service) {
            throw new IllegalStateException(
                    "an accepted connection is served by its server: add " + service.program() + " there");
        }

        @Override
        public void disconnected() {}
    }
}
