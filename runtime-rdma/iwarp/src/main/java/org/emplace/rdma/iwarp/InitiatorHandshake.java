// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.iwarp.framing.MpaFrame;
import org.emplace.rdma.iwarp.framing.MpaFrame.ReadNegotiation;
import org.emplace.rdma.iwarp.framing.MpaFrame.ReadNegotiation.Negotiated;
import org.emplace.rdma.iwarp.framing.StreamException;
import org.emplace.rdma.iwarp.framing.Wire;
import org.emplace.rdma.iwarp.queuepair.Endpoint;
import org.emplace.rdma.iwarp.queuepair.IwarpQueuePair;
import org.emplace.reactor.SocketHandler;
import org.emplace.reactor.Timers;
import org.jspecify.annotations.Nullable;

/** Sets up a connection as the initiator: connects TCP, sends the MPA request, and receives the reply. */
final class InitiatorHandshake implements SocketHandler.Attachment {
    private final SocketHandler sockets;
    private final SocketChannel channel;
    private final Wire wire;
    private final IwarpProvider provider;
    private final InetSocketAddress remote;
    private final ConnectionParameters parameters;
    private final Handler handler;
    private final CompletableFuture<QueuePair> outcome;
    private final MpaFrame.Reader reader;
    private final MpaFrame request;
    private final ByteBuffer[] unsent;
    private Timers.@Nullable Timer timer;
    private Timers.@Nullable Timer replyTimer;
    private boolean over;

    InitiatorHandshake(
            SocketHandler sockets,
            SocketChannel channel,
            Wire wire,
            IwarpProvider provider,
            InetSocketAddress remote,
            MpaFrame request,
            ConnectionParameters parameters,
            Handler handler,
            CompletableFuture<QueuePair> outcome) {
        this.sockets = sockets;
        this.channel = channel;
        this.wire = wire;
        this.provider = provider;
        this.remote = remote;
        this.parameters = parameters;
        this.handler = handler;
        this.outcome = outcome;
        reader = new MpaFrame.Reader(wire, MpaFrame.Kind.REPLY);
        this.request = request;
        unsent = new ByteBuffer[] {request.toBytes()};
    }

    /** On the loop: starts to connect. */
    void start() {
        try {
            timer = sockets.loop()
                    .schedule(parameters.timeout(), () -> fail(Reason.TIMED_OUT, "no connection in time", null));
            SelectionKey key = sockets.register(channel, SelectionKey.OP_CONNECT, this);
            if (channel.connect(remote)) {
                key.interestOps(SelectionKey.OP_WRITE);
            }
        } catch (IOException | RuntimeException e) {
            fail(reasonOf(e), "cannot connect", e);
        } catch (Error broken) {
            failed(broken);
        }
    }

    @Override
    public void ready(SelectionKey ready) {
        try {
            if (ready.isConnectable() && channel.finishConnect()) {
                ready.interestOps(SelectionKey.OP_WRITE);
            } else if (unsent[0].hasRemaining()) {
                sendRequest(ready);
            } else {
                MpaFrame reply = reader.read();
                if (reply != null) {
                    replied(reply, ready);
                }
            }
        } catch (StreamException e) {
            fail(Reason.PEER_VIOLATION, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            if (channel.isConnected()) {
                fail(
                        Reason.DISCONNECTED,
                        "the peer ended the connection before it answered the MPA request, as a server does that speaks only TCP at this port",
                        e);
            } else {
                fail(reasonOf(e), "cannot connect", e);
            }
        }
    }

    private void sendRequest(SelectionKey ready) throws IOException {
        wire.write(unsent, 0, 1);
        if (!unsent[0].hasRemaining()) {
            ready.interestOps(SelectionKey.OP_READ);
            replyTimer = sockets.loop()
                    .schedule(
                            provider.options().replyTimeout(),
                            () -> fail(Reason.TIMED_OUT, "no MPA reply in time", null));
        }
    }

    private void replied(MpaFrame reply, SelectionKey ready) throws IOException, StreamException {
        if (reply.rejected()) {
            String said = reply.privateData().length == 0
                    ? "no private data"
                    : "private data " + HexFormat.of().formatHex(reply.privateData());
            fail(Reason.REJECTED, "the peer rejected the connection, with " + said, null);
            return;
        }
        if (reply.revision() != request.revision() || (request.readLimits() == null) != (reply.readLimits() == null)) {
            throw StreamException.unanswered("MPA reply of revision " + reply.revision() + " to a request of revision "
                    + request.revision() + (reply.readLimits() == null ? ", without enhanced set-up" : ""));
        }
        if (reply.markers()) {
            throw StreamException.unanswered("the peer wants MPA markers, which were not offered");
        }
        Negotiated negotiated = ReadNegotiation.conclude(request, reply, parameters);
        Endpoint endpoint = provider.endpoint(sockets, channel, wire);
        IwarpQueuePair queuePair = new IwarpQueuePair(
                endpoint, ready, negotiated, parameters.receives(), null, handler, provider.counters());
        finish();
        queuePair.start();
        outcome.complete(queuePair);
    }

    @Override
    public void failed(Throwable broken) {
        fail(Reason.DISCONNECTED, "set-up failed", broken);
    }

    @Override
    public void shutDown() {
        fail(Reason.DISCONNECTED, "the provider was closed", null);
    }

    private void finish() {
        over = true;
        if (timer != null) {
            timer.cancel();
        }
        if (replyTimer != null) {
            replyTimer.cancel();
        }
    }

    private void fail(Reason reason, String what, @Nullable Throwable cause) {
        if (over) {
            return;
        }
        String detail = cause == null || cause instanceof StreamException ? "" : ": " + SocketHandler.describe(cause);
        RdmaException failure = new RdmaException(reason, "iwarp to " + remote + ": " + what + detail, cause);
        finish();
        outcome.completeExceptionally(failure);
        sockets.close(channel);
    }

    private static Reason reasonOf(Exception e) {
        boolean refused =
                e instanceof ConnectException && String.valueOf(e.getMessage()).contains("refused");
        return refused ? Reason.REFUSED : Reason.UNREACHABLE;
    }
}
