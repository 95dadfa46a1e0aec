// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.reactor.Peer;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RegisteredBuffer.MemoryDomain;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.limits.ConnectionLimit.IdleTime;
import org.emplace.rpc.limits.MemoryShares;
import org.emplace.rpc.message.MessageHeader;
import org.emplace.rpc.message.MessageHeader.ReplyHeader;
import org.emplace.rpc.tcp.RecordWriter.OutgoingRecord;
import org.emplace.rpc.tcp.TcpTransport.TcpBuffer;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpc.transport.RpcTransport.Connection;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrEncoder;

/** One end of a TCP connection. It passes each received record to its requester or, if it is a call, to the dispatcher, and sends replies. */
final class TcpConnection implements Connection, ConnectionLimit.Occupant {
    private static final Logger LOG = System.getLogger(TcpConnection.class.getName());

    private final String name;
    private final InetSocketAddress remoteAddress;
    private final ConnectionRole role;
    private final MemoryShares.Share share;
    private final CallGate gate;
    private final IdleTime idle;
    private final RecordChannel records;
    private final TcpRequester requester;
    private final TcpTransport.Resources resources;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile boolean closedHere;

    /**
     * Creates one end of a connection, which begins with {@link #start}.
     *
     * @param name identifies the connection in messages
     * @param socket connected and non-blocking
     */
    TcpConnection(String name, SocketChannel socket, ConnectionRole role, TcpTransport.Resources resources)
            throws IOException {
        this.name = name;
        this.remoteAddress = socket.getRemoteAddress() instanceof InetSocketAddress address
                ? address
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        this.role = role;
        this.resources = resources;
        Peer peer = Peer.of(remoteAddress.getAddress());
        this.share = resources.replies().connection(peer);
        this.idle = new IdleTime(resources.runtime().time()::nanoTime);
        ConnectionOptions options = role.options();
        this.records = new RecordChannel(
                socket,
                resources.loops().next(),
                options,
                resources.runtime().time(),
                role.initiated() ? null : resources.requests().connection(peer),
                role.initiated() ? null : peer,
                new Incoming());
        this.gate = new CallGate(role.creditsToGrant(), options.maxMessage(), idle, records::uncharge);
        this.requester = new TcpRequester(name, role, records, resources.runtime());
    }

    /** Starts to receive. */
    void start() {
        records.start();
    }

    @Override
    public <A, R> RpcCall<R> call(
            Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
        return requester.call(requester.pending().open(procedure, arguments, destinations, options));
    }

    @Override
    public <A, R> RpcCall<R> call(
            int xid, Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
        return requester.call(requester.pending().open(xid, procedure, arguments, destinations, options));
    }

    @Override
    public boolean hasCredit() {
        return requester.hasCredit();
    }

    /** Refuses a reply that the peer would not accept: it would end the connection, and the call would be sent again in vain. */
    private void requireSendable(EncodedMessage reply) throws IOException {
        int most = Math.max(role.options().maxMessage(), ConnectionOptions.DEFAULT.maxMessage());
        if (reply.unreducedLength() > most) {
            throw new IOException("the reply has " + reply.unreducedLength() + " bytes, but at most " + most
                    + " are sent over TCP; set ConnectionOptions.maxMessage at both ends");
        }
    }

    /**
     * Sends the reply to one of the peer's calls.
     *
     * @param sent run once, when the whole reply has been written or can no longer be written
     */
    void reply(int xid, EncodedMessage reply, Runnable sent) {
        OutgoingRecord record;
        try {
            requireSendable(reply);
            record = new OutgoingRecord(reply.unreduced(), null, sent);
        } catch (IOException | RuntimeException unsuitable) {
            resources
                    .runtime()
                    .unsendable()
                    .event(count -> LOG.log(
                            Level.WARNING,
                            name + ": cannot send a reply, sent SYSTEM_ERR instead: " + unsuitable
                                    + "; such replies so far: " + count,
                            unsuitable instanceof IOException ? null : unsuitable));
            record = new OutgoingRecord(systemError(xid), null, sent);
        }
        records.send(record, () -> true);
    }

    private static List<ByteBuffer> systemError(int xid) {
        XdrEncoder out = XdrEncoder.onHeap();
        ReplyHeader.PLAIN_SYSTEM_ERROR.encode(out, xid);
        return List.of(out.finish().stream());
    }

    /** Called when one of the peer's calls is over, and its record is no longer used. */
    void answered(ByteBuffer record) {
        boolean isOtherWaiting;
        try {
            records.uncharge(record);
        } finally {
            isOtherWaiting = gate.restoreCredit();
        }
        if (isOtherWaiting || records.isPaused()) {
            records.resume(() -> {
                try {
                    admitCalls();
                } finally {
                    role.dispatcher().dispatchedAll();
                }
            });
        }
    }

    /** Dispatches the peer's waiting calls for which it has credits. Called on the event loop's thread. Returns whether handlers run all of them. */
    private boolean admitCalls() {
        boolean accepted = true;
        for (ByteBuffer call = gate.next(); call != null; call = gate.next()) {
            accepted &= role.dispatcher().dispatch(new TcpIncomingCall(this, call));
        }
        return accepted;
    }

    /** This connection's share of the memory for replies. */
    MemoryShares.Share share() {
        return share;
    }

    ReplyBuffers replyBuffers() {
        return resources.replyBuffers();
    }

    @Override
    public MemoryDomain memory() {
        return TcpBuffer::register;
    }

    @Override
    public void serve(RpcService service) {
        role.serve(service);
    }

    @Override
    public void enableBackwardCalls() {
        role.requireAccepted(name);
        requester.pending().enable();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remoteAddress;
    }

    @Override
    public long idleNanos() {
        return Math.min(idle.nanos(), requester.pending().idleNanos());
    }

    @Override
    public CompletionStage<Void> closed() {
        return closed.minimalCompletionStage();
    }

    /** Resets the connection if calls of this side are in flight, because they are over for their callers. */
    @Override
    public void close() {
        closedHere = true;
        if (requester.isAwaitingReplies()) {
            records.reset();
        } else {
            records.close();
        }
    }

    @Override
    public void reset() {
        closedHere = true;
        records.reset();
    }

    @Override
    public String toString() {
        return name;
    }

    /** Receives the peer's records. */
    private final class Incoming implements RecordChannel.Receiver {
        private volatile String endedBecause = "";

        @Override
        public boolean isReady() {
            return gate.hasCredit() || awaitsReplies();
        }

        @Override
        public boolean awaitsReplies() {
            return requester.pending().idleNanos() == 0;
        }

        @Override
        public boolean received(ByteBuffer record) {
            if (record.remaining() < MessageHeader.MINIMUM_LENGTH) {
                LOG.log(
                        Level.DEBUG,
                        "{0}: dropped a record of {1} bytes, which is too short for a message",
                        name,
                        record.remaining());
                records.uncharge(record);
                return false;
            }
            switch (MessageHeader.of(record)) {
                case MessageHeader.CALL -> {
                    if (!gate.enter(record)) {
                        records.disconnect(
                                Level.WARNING,
                                "the peer sent more calls than its credits, while this end waits for its replies");
                    }
                    // A call that is refused costs its sender its turn.
                    return admitCalls();
                }
                case MessageHeader.REPLY -> requester.replied(record);
                default -> LOG.log(Level.DEBUG, "{0}: dropped a record that is neither a call nor a reply", name);
            }
            // A reply stays until the caller has read it. The number of calls in flight bounds that.
            records.uncharge(record);
            return true;
        }

        @Override
        public void receivedAll() {
            try {
                requester.pending().handOver();
            } finally {
                role.dispatcher().dispatchedAll();
            }
        }

        @Override
        public void disconnected(Level severity, String why) {
            endedBecause = why;
            try {
                gate.close();
            } finally {
                try {
                    requester.pending().disconnected(Kind.DISCONNECTED, why);
                } finally {
                    role.disconnected(TcpConnection.this);
                }
            }
            if (severity == Level.DEBUG) {
                LOG.log(Level.DEBUG, "{0} ended: {1}", name, why);
            } else {
                resources
                        .runtime()
                        .lost()
                        .event(count -> LOG.log(severity, "{0} ended: {1}; such ends so far: {2}", name, why, count));
            }
        }

        @Override
        public void closed() {
            try {
                resources.runtime().workers().execute(this::completeClosed);
            } catch (RuntimeException | Error broken) {
                completeClosed();
            }
        }

        private void completeClosed() {
            try {
                if (closedHere) {
                    closed.complete(null);
                } else {
                    closed.completeExceptionally(new RpcException(Kind.DISCONNECTED, name + ": " + endedBecause));
                }
            } catch (RuntimeException | Error broken) {
                closed.completeExceptionally(broken);
            }
        }
    }
}
