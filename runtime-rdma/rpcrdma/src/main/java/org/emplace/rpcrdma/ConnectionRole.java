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

/** The end of a connection that this side is, and what depends on it. */
sealed interface ConnectionRole {
    ConnectionOptions options();

    /** The direction of this side's calls. */
    CallDirection calls();

    /** The credits that this side requests: the most calls of its own in flight. */
    int creditsToAskFor();

    /** The most credits that this side grants: the most calls of the peer in flight. */
    int creditsToGrant();

    /** The dispatcher of the peer's calls. */
    ServiceDispatcher dispatcher();

    /** See {@link org.emplace.rpc.RpcConnection#serve}. */
    void serve(RpcService service);

    /** Called when the connection is over. */
    void disconnected();

    /** The private data that this side sends to the peer. */
    default ConnectionPrivateData privateData(boolean remoteInvalidation) {
        return ConnectionPrivateData.offering(
                remoteInvalidation, options().inlineThreshold().orElse(ConnectionOptions.DEFAULT_INLINE_THRESHOLD));
    }

    /** The length of each Receive in bytes: the inline threshold that this side advertises. */
    default int receiveSize() {
        return privateData(false).receiveSize();
    }

    /**
     * Prepares a connection's own Receives, for the calls that it grants and the replies to its own calls.
     *
     * @throws RdmaException with reason NO_RESOURCES if there is no memory for them
     */
    default ConnectionReceives ownReceives(Device device) throws RdmaException {
        return new OwnReceives(device.memory().pool(), receiveSize(), creditsToGrant(), creditsToAskFor());
    }

    /** The end that connected. The services added to this connection answer calls in backward direction. */
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

    /** The end that accepted. The listener's dispatcher answers calls. */
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
                    "a server accepted this connection: add " + service.program() + " to the server");
        }

        @Override
        public void disconnected() {}
    }
}
