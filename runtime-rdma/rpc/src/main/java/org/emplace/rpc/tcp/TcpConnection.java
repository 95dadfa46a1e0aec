// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
import org.emplace.rpc.client.CallQueue;
import org.emplace.rpc.client.PendingCall;
import org.emplace.rpc.client.PendingCalls;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.limits.ConnectionLimit.IdleTime;
import org.emplace.rpc.limits.MemoryShares;
import org.emplace.rpc.message.MessageHeader;
import org.emplace.rpc.message.MessageHeader.ReplyHeader;
import org.emplace.rpc.tcp.RecordWriter.OutgoingRecord;
import org.emplace.rpc.tcp.TcpTransport.TcpBuffer;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpc.transport.RpcTransport.Connection;
import org.emplace.rpc.transport.RpcTransport.RemotePayload;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;

/** One end of a TCP connection: sends calls and receives their replies, receives calls and sends their replies. */
final class TcpConnection implements Connection, ConnectionLimit.Occupant {
    private static final Logger LOG = System.getLogger(TcpConnection.class.getName());

    private static final CompletionStage<Void> RELEASED = CompletableFuture.completedStage(null);

    private final String name;
    private final InetSocketAddress remoteAddress;
    private final ConnectionRole role;
    private final MemoryShares.Share share;
    private final CallGate gate;
    private final IdleTime idle;
    private final RecordChannel records;
    private final PendingCalls calls;
    private final CallQueue queue;
    private final TcpTransport.Resources resources;
    private final Set<PendingCall<?, ?>> inFlight = new HashSet<>();
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
        this.calls = new PendingCalls(
                name,
                options.observer(),
                options.maxMessage(),
                resources.runtime().time(),
                this::abort,
                records,
                resources.runtime().workers(),
                role.initiated());
        this.queue = new CallQueue(
                this::consumeCredit,
                this::send,
                call -> call.procedure().binding().argumentsEligible(),
                resources.runtime().workers(),
                records::failed);
    }

    /** Starts to receive. */
    void start() {
        records.start();
    }

    @Override
    public <A, R> RpcCall<R> call(
            Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
        return enqueue(calls.open(procedure, arguments, destinations, options));
    }

    @Override
    public <A, R> RpcCall<R> call(
            int xid, Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
        return enqueue(calls.open(xid, procedure, arguments, destinations, options));
    }

    private <A, R> RpcCall<R> enqueue(PendingCall<A, R> call) {
        queue.add(call);
        if (records.isPaused()) {
            // The reply may follow bytes that have not been read, for lack of credits or memory.
            records.resume(() -> {});
        }
        return call;
    }

    @Override
    public boolean hasCredit() {
        synchronized (inFlight) {
            return inFlight.size() < role.creditsToAskFor();
        }
    }

    private boolean consumeCredit(PendingCall<?, ?> call) {
        synchronized (inFlight) {
            return inFlight.size() < role.creditsToAskFor() && inFlight.add(call);
        }
    }

    private void send(PendingCall<?, ?> call) {
        try {
            EncodedMessage message = call.encode(XdrEncoder.onHeap());
            CompletionStage<?> fetches = RemotePayload.fetchAll(message);
            if (fetches == null) {
                send(call, message);
            } else {
                fetches.whenCompleteAsync(
                        (done, failure) -> send(call, message),
                        resources.runtime().workers());
            }
        } catch (RpcException unsuitable) {
            call.giveUp(unsuitable);
        } catch (RuntimeException | Error broken) {
            call.giveUp(call.failure(Kind.GARBAGE_ARGS, "the arguments cannot be encoded: " + broken, broken));
        }
    }

    private void send(PendingCall<?, ?> call, EncodedMessage message) {
        try {
            OutgoingRecord record = new OutgoingRecord(message.unreduced(), call, () -> {});
            call.counters().inline(message.unreducedLength());
            records.send(record, call::isWaiting);
        } catch (IOException unavailable) {
            call.giveUp(call.failure(
                    Kind.NO_RESOURCES, "a payload could not be fetched: " + unavailable.getMessage(), unavailable));
        } catch (RuntimeException | Error broken) {
            call.giveUp(call.failure(Kind.GARBAGE_ARGS, "the arguments cannot be sent: " + broken, broken));
        }
    }

    /** Refuses a reply that the peer would not accept: it would end the connection, and the call would be sent again in vain. */
    private void requireSendable(EncodedMessage reply) throws IOException {
        int most = Math.max(role.options().maxMessage(), ConnectionOptions.DEFAULT.maxMessage());
        if (reply.unreducedLength() > most) {
            throw new IOException("the reply has " + reply.unreducedLength() + " bytes, but at most " + most
                    + " are sent over TCP; set ConnectionOptions.maxMessage at both ends");
        }
    }

    private CompletionStage<Void> abort(PendingCall<?, ?> call) {
        try {
            withdraw(call);
        } catch (RuntimeException | Error broken) {
            // What has not been released may still be sent.
            records.failed(broken);
        }
        return RELEASED;
    }

    /**
     * Ensures that nothing uses the call's memory any more. A server may have replied before it received the whole
     * call.
     */
    private void withdraw(PendingCall<?, ?> call) {
        int copied = records.withdraw(call);
        if (copied > 0) {
            call.counters().copy(copied);
        }
        queue.remove(call);
        boolean hadCredit;
        synchronized (inFlight) {
            hadCredit = inFlight.remove(call);
        }
        if (hadCredit) {
            queue.creditsChanged();
        }
    }

    private void takeReply(ByteBuffer record) {
        PendingCall<?, ?> call = calls.claimSent(MessageHeader.xidOf(record));
        if (call == null) {
            LOG.log(Level.DEBUG, "{0}: dropped a reply for which no call waits", name);
            return;
        }
        try {
            call.counters().inline(record.remaining());
            withdraw(call);
            calls.ready(call, () -> call.complete(new XdrDecoder(record)));
        } catch (RuntimeException | Error broken) {
            // The end of the connection does not reach a claimed call.
            call.completeBy(
                    () -> call.fail(Kind.NO_RESOURCES, "its reply cannot be handled: " + broken, broken),
                    resources.runtime().workers());
            throw broken;
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
        calls.enable();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remoteAddress;
    }

    @Override
    public long idleNanos() {
        return Math.min(idle.nanos(), calls.idleNanos());
    }

    @Override
    public CompletionStage<Void> closed() {
        return closed.minimalCompletionStage();
    }

    /** Resets the connection if calls of this side are in flight, because they are over for their callers. */
    @Override
    public void close() {
        closedHere = true;
        boolean anyInFlight;
        synchronized (inFlight) {
            anyInFlight = !inFlight.isEmpty();
        }
        if (anyInFlight) {
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
            return calls.idleNanos() == 0;
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
                case MessageHeader.REPLY -> takeReply(record);
                default -> LOG.log(Level.DEBUG, "{0}: dropped a record that is neither a call nor a reply", name);
            }
            // A reply stays until the caller has read it. The number of calls in flight bounds that.
            records.uncharge(record);
            return true;
        }

        @Override
        public void receivedAll() {
            try {
                calls.handOver();
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
                    calls.disconnected(Kind.DISCONNECTED, why);
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
