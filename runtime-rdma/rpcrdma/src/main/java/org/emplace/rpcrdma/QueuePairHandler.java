// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.reactor.Peer;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpc.transport.RuntimeResources;
import org.emplace.rpcrdma.InstalledDevices.Device;
import org.emplace.rpcrdma.header.ConnectionPrivateData;
import org.emplace.rpcrdma.header.ConnectionPrivateData.InlineThresholds;
import org.emplace.rpcrdma.link.ConnectionReceives;
import org.emplace.rpcrdma.link.ConnectionReceives.Own;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.ReceivedMessage;
import org.emplace.rpcrdma.link.SendQueue;
import org.emplace.rpcrdma.memory.OutgoingMessages;
import org.jspecify.annotations.Nullable;

/** Sets up one connection when its queue pair is established, and passes the events of that queue pair to it. */
final class QueuePairHandler implements Handler {
    /**
     * The RDMA Reads at a time; a power of two, as Linux requires. The side that exposes memory issues no RDMA Reads,
     * and requests no outbound Reads.
     */
    private static final int READS = 16;

    private final Device device;
    private final ConnectionRole role;
    private final RuntimeResources resources;
    private final Consumer<RdmaConnection> whenEstablished;
    private final Runnable whenOver;
    /** Null until {@link #parameters}, which comes before any event. */
    private @Nullable ConnectionReceives receives;

    private volatile @Nullable RdmaConnection connection;

    /**
     * Prepares the set-up. Holds no memory yet.
     *
     * @param whenEstablished gets the connection before its first message
     * @param whenOver run when the connection is over, or its set-up has failed
     */
    QueuePairHandler(
            Device device,
            ConnectionRole role,
            RuntimeResources resources,
            Consumer<RdmaConnection> whenEstablished,
            Runnable whenOver) {
        this.device = device;
        this.role = role;
        this.resources = resources;
        this.whenEstablished = whenEstablished;
        this.whenOver = whenOver;
    }

    /**
     * The parameters for connecting or accepting.
     *
     * @param receives the Receives for the connection, which belong to this handler from now on
     */
    ConnectionParameters parameters(ConnectionReceives receives) {
        this.receives = receives;
        return new ConnectionParameters(
                reportsRemoteInvalidation ->
                        privateData(reportsRemoteInvalidation).encode(),
                READS,
                role.initiated() ? 0 : READS,
                receives.receives(),
                role.options().connectTimeout(),
                role.options().keepAlive());
    }

    private ConnectionPrivateData privateData(boolean reportsRemoteInvalidation) {
        return privateData(role.options(), role.initiated() && reportsRemoteInvalidation);
    }

    private static ConnectionPrivateData privateData(ConnectionOptions options, boolean remoteInvalidation) {
        return ConnectionPrivateData.offering(
                remoteInvalidation, options.inlineThreshold().orElse(ConnectionOptions.DEFAULT_INLINE_THRESHOLD));
    }

    /** The length of each Receive in bytes: the inline threshold that this side advertises. */
    static int receiveSize(ConnectionOptions options) {
        return privateData(options, false).receiveSize();
    }

    /**
     * Prepares a connection's own Receives, for the calls that it grants and the replies to its own calls.
     *
     * @throws RdmaException with reason NO_RESOURCES if there is no memory for them
     */
    static ConnectionReceives ownReceives(Device device, ConnectionRole role) throws RdmaException {
        return new Own(
                device.memory().pool(), receiveSize(role.options()), role.creditsToGrant(), role.creditsToAskFor());
    }

    private ConnectionReceives receives() {
        return Objects.requireNonNull(receives, "an event before the parameters");
    }

    /** Called when the set-up has failed without an event. */
    void failed() {
        if (receives != null) {
            receives.disconnected();
        }
        whenOver.run();
    }

    @Override
    public void established(QueuePair queuePair) {
        ConnectionReceives prepared = receives();
        prepared.established(queuePair);
        ConnectionPrivateData theirs = ConnectionPrivateData.find(queuePair.remotePrivateData());
        InlineThresholds thresholds = InlineThresholds.of(privateData(queuePair.reportsRemoteInvalidation()), theirs);
        Link link = new Link(
                "rdma " + queuePair.localAddress() + " to " + queuePair.remoteAddress(),
                queuePair,
                new SendQueue(queuePair, resources.time(), role.options(), resources.lost()),
                prepared,
                device.memory(),
                new OutgoingMessages(device.memory(), thresholds.send()),
                device.memory()
                        .shares()
                        .connection(Peer.of(queuePair.remoteAddress().getAddress())),
                thresholds,
                theirs.remoteInvalidation(),
                resources.workers(),
                resources.time(),
                role.options().transferTimeout(),
                resources.lost(),
                resources.unsendable());
        RdmaConnection established = new RdmaConnection(link, role);
        connection = established;
        whenEstablished.accept(established);
    }

    @Override
    public void completed(List<Completion> completions) {
        RdmaConnection established = connection;
        int handled = 0;
        try {
            // Loops by index to avoid allocating an iterator for every message.
            while (handled < completions.size()) {
                completed(completions.get(handled++), established);
            }
        } finally {
            try {
                // If handling a completion throws, the connection ends. The other completions must still be handled.
                while (handled < completions.size()) {
                    completed(completions.get(handled++), null);
                }
            } finally {
                if (established != null) {
                    established.receivedAll();
                }
            }
        }
    }

    /**
     * Handles a completion.
     *
     * @param established the connection; null to release a received message
     */
    private void completed(Completion completion, @Nullable RdmaConnection established) {
        if (completion.operation() == Completion.Operation.RECEIVE) {
            ReceivedMessage received = receives().completed(completion);
            if (received != null && established != null) {
                established.received(received);
            } else if (received != null) {
                received.release();
            }
        } else if (established != null) {
            established.sends().completed(completion);
        }
    }

    @Override
    public void disconnected(@Nullable RdmaException cause) {
        RdmaConnection established = connection;
        try {
            if (established != null) {
                established.disconnected(cause);
            }
        } finally {
            receives().disconnected();
            whenOver.run();
        }
    }
}
