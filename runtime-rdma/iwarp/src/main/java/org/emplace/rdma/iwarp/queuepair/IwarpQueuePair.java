// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.Receives;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.iwarp.framing.FpduReader;
import org.emplace.rdma.iwarp.framing.FpduWriter;
import org.emplace.rdma.iwarp.framing.MpaFrame.ReadNegotiation.Negotiated;
import org.emplace.rdma.iwarp.framing.StreamException;
import org.emplace.rdma.iwarp.memory.AccessTable;
import org.emplace.rdma.iwarp.memory.Exposure;
import org.emplace.rdma.iwarp.memory.Region;
import org.emplace.rdma.iwarp.queuepair.Endpoint.Sharing;
import org.emplace.rdma.iwarp.queuepair.IwarpSharedReceives.IwarpReceiveQueue;
import org.emplace.rdma.provider.ConnectionCounters;
import org.emplace.rdma.provider.HandlerCalls;
import org.emplace.rdma.provider.RdmaCounters;
import org.emplace.reactor.EventLoop.LoopLocal;
import org.emplace.reactor.FairShare;
import org.emplace.reactor.FairShare.Turns;
import org.emplace.reactor.Peer;
import org.emplace.reactor.SocketHandler;
import org.emplace.reactor.Timers;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair over one TCP connection. Its state is used only on its event loop; calls on other threads become tasks of the loop, in order.
 * If the loop sleeps, the thread that posts work writes to the socket itself. Receives are posted on the calling thread.
 */
public final class IwarpQueuePair implements QueuePair, SocketHandler.Attachment {
    private static final System.Logger LOG = System.getLogger(IwarpQueuePair.class.getName());
    private static final LoopLocal<FpduWriter.Batches> BATCHES = new LoopLocal<>(FpduWriter.Batches::new);

    /** The most times per turn that reading resumes after the consumer has posted a Receive, so that other connections are served. */
    private static final int ROUNDS = 16;

    /** The most times that the socket of a broken connection is read for the reason that the peer may have sent. */
    private static final int LAST_ROUNDS = 4;

    /** The most messages of a peer that are taken in one turn. */
    private static final int MESSAGES_A_TURN = 16;

    /** What a segment that is written counts in the share of its peer in a round of the loop, in addition to its bytes. */
    private static final int SEGMENT_COST = FairShare.ROUND / 1024;

    /** What a message counts in the share of its peer in a round of the loop, in addition to its bytes. */
    private static final int MESSAGE_COST = FairShare.ROUND / 64;

    private enum Phase {
        ACTIVE,
        /** Writes the FPDUs already begun, and the Terminate if there is one. Reads nothing. */
        CLOSING,
        OVER
    }

    private final Endpoint endpoint;
    private final SelectionKey key;
    private final Negotiated negotiated;
    private final @Nullable Sharing sharing;
    private final Turns turns;
    private final Turns.Waiting reading;
    private final Turns.Waiting writing;
    private final ConnectionCounters counters;
    private final HandlerCalls calls;
    private final AccessTable access;
    private final IwarpSendQueue sendQueue;
    private final IwarpReceiveQueue receiveQueue;
    private final Inbound inbound;
    private final FpduReader reader;
    private final FpduWriter writer;
    private final Fences fences;
    private final Completions completions = new Completions();
    private final Runnable takePosted = step(this::takePosted);
    private final Runnable progressNow = step(this::progressNow);
    private Phase phase = Phase.ACTIVE;
    private @Nullable RdmaException cause;
    private boolean progressDue;
    /** Whether the next turn is one of a single message. */
    private boolean singly;
    /** Runs while a Send waits for a Receive; nothing is read then. */
    private Timers.@Nullable Timer heldTimer;
    /** Runs while the connection is closing. */
    private Timers.@Nullable Timer drainTimer;

    /**
     * On its loop: creates a queue pair for a connection whose set-up is complete. {@link #start} starts it.
     *
     * @param key of the connection's channel; the queue pair takes ownership
     * @param receives the Receives for the peer's Sends
     * @param sharing what the connection shares with others; null for no limit
     * @param handler receives the events, on the loop
     * @param counters of the provider
     */
    public IwarpQueuePair(
            Endpoint endpoint,
            SelectionKey key,
            Negotiated negotiated,
            Receives receives,
            @Nullable Sharing sharing,
            Handler handler,
            RdmaCounters counters) {
        this.sharing = sharing;
        turns = endpoint.turns(sharing);
        reading = turns.waiting(step(this::resumeReceiving));
        writing = turns.waiting(step(this::progress));
        this.endpoint = endpoint;
        this.key = key;
        this.negotiated = negotiated;
        this.counters = counters.connectionOpened(endpoint.local(), endpoint.remote());
        calls = new HandlerCalls(handler, this.counters, endpoint, this::abort);
        fences = new Fences(endpoint, this::abort);
        access = new AccessTable(endpoint.random(), this::fence, this.counters);
        sendQueue = new IwarpSendQueue(access, negotiated.outboundReads(), completions::add, this.counters);
        receiveQueue = IwarpReceiveQueue.of(
                receives,
                Peer.of(endpoint.remote().getAddress()),
                endpoint.loop(),
                receive -> step(() -> supplied(receive)).run());
        inbound = new Inbound(
                access,
                sendQueue,
                negotiated.inboundReads(),
                receiveQueue,
                completions::add,
                () -> !completions.isEmpty());
        reader = new FpduReader(endpoint.wire(), negotiated.crc(), endpoint.sockets()::scratch, inbound);
        writer = new FpduWriter(endpoint.wire(), negotiated.crc(), BATCHES.of(endpoint.loop()), sendQueue);
        if (receives instanceof Receives.Own own) {
            this.counters.receivesPosted(own.first().size());
        }
    }

    /**
     * Checks that a queue pair of this provider can use these Receives.
     *
     * @param shareable the listener's shared receive queue; null if there is none
     * @throws IllegalArgumentException if the memory of a Receive is another provider's or read-only, or if this is another shared receive queue
     */
    public static void check(Receives receives, @Nullable SharedReceiveQueue shareable) {
        if (receives instanceof Receives.Own own) {
            own.first().forEach(receive -> Region.ofSink(receive.sink()));
        } else if (receives != shareable) {
            throw new IllegalArgumentException("a shared receive queue other than the one that the request offers");
        }
    }

    /** On the loop: starts to exchange FPDUs. Set-up is complete. If it fails, the connection ends. */
    public void start() {
        try {
            key.attach(this);
            key.interestOps(SelectionKey.OP_READ);
            LOG.log(Level.DEBUG, "{0}: established, {1}", endpoint, negotiated.crc() ? "CRC on" : "CRC off");
            calls.established(this);
        } catch (Throwable broken) {
            failed(broken);
        }
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return endpoint.remote();
    }

    @Override
    public InetSocketAddress localAddress() {
        return endpoint.local();
    }

    @Override
    public byte[] remotePrivateData() {
        return negotiated.privateData().clone();
    }

    @Override
    public int outboundReads() {
        return negotiated.outboundReads();
    }

    @Override
    public boolean reportsRemoteInvalidation() {
        return true;
    }

    @Override
    public boolean sendsInvalidate() {
        return true;
    }

    @Override
    public void postReceive(ReceiveRequest receive) {
        if (!(receiveQueue instanceof IwarpReceiveQueue.Private own)) {
            throw new IllegalStateException("the connection's Receives are those of a shared queue: post to that");
        }
        Region.ofSink(receive.sink());
        if (own.post(receive)) {
            counters.receivesPosted(1);
        }
    }

    @Override
    public void post(List<WorkRequest> requests) {
        if (sendQueue.post(requests)) {
            announcePosted();
        }
    }

    @Override
    public void post(WorkRequest request) {
        if (sendQueue.post(request)) {
            announcePosted();
        }
    }

    private void announcePosted() {
        if (endpoint.loop().isCurrent()) {
            takePosted.run();
        } else {
            endpoint.loop().executeHere(takePosted);
        }
    }

    private void takePosted() {
        sendQueue.takePosted();
        progressSoon();
    }

    @Override
    public RemoteAccess expose(MemorySegment segment, RemoteAccess.Right right) throws RdmaException {
        return access.expose(segment, right);
    }

    @Override
    public void pollUntil(BooleanSupplier done) {
        endpoint.loop().pollUntil(done);
    }

    @Override
    public void wakePoller() {
        endpoint.loop().wakePoller();
    }

    @Override
    public void close() {
        endpoint.loop().execute(step(() -> {
            if (phase == Phase.ACTIVE) {
                closing(null);
                progress();
            }
        }));
    }

    @Override
    public void reset() {
        endpoint.loop().execute(step(() -> {
            if (phase != Phase.OVER) {
                SocketHandler.discardUnsent(endpoint.channel());
                over(null, false);
            }
        }));
    }

    /** Wraps a task or timer of this connection so that an exception ends the connection. */
    private Runnable step(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable broken) {
                failed(broken);
            }
        };
    }

    @Override
    public void failed(Throwable broken) {
        abort(new RdmaException(Reason.DISCONNECTED, endpoint + ": serving the connection failed: " + broken, broken));
        counters.errors().log(endpoint, "serving the connection failed; it was aborted", broken);
    }

    @Override
    public void shutDown() {
        close();
    }

    @Override
    public void cutOff() {
        over(cause, false);
    }

    @Override
    public void ready(SelectionKey ready) {
        if (reads() && ready.isReadable()) {
            receive();
        }
        progress();
    }

    private void receive() {
        if (!turns.isLeft()) {
            reading.join();
            return;
        }
        inbound.beginTurn(messagesInTurn());
        singly = false;
        try {
            FpduReader.Progress progress = read();
            for (int round = 0;
                    progress == FpduReader.Progress.HELD && receiveQueue instanceof IwarpReceiveQueue.Private;
                    round++) {
                if (round == ROUNDS) {
                    // Serve other connections first. The selector does not report bytes that were read ahead.
                    endpoint.loop().execute(step(this::resumeReceiving));
                    return;
                }
                // The consumer can post Receives for the next Sends only after it got the first one's completion.
                deliver();
                if (phase != Phase.ACTIVE) {
                    return;
                }
                if (singly || !turns.isLeft()) {
                    reading.join();
                    return;
                }
                progress = read();
            }
            switch (progress) {
                case HELD -> hold();
                case TURN_OVER -> reading.join();
                case END -> over(reader.isAtBoundary() ? null : endedInside().on(endpoint.toString()), false);
                case MORE, DRAINED -> {}
            }
        } catch (StreamException e) {
            terminate(e);
        } catch (IOException e) {
            over(lost(e), false);
        }
    }

    private int messagesInTurn() {
        if (!turns.areLimited()) {
            return Integer.MAX_VALUE;
        }
        if (!turns.areShort()) {
            return FairShare.ROUND / MESSAGE_COST;
        }
        return singly ? 1 : MESSAGES_A_TURN;
    }

    /** Reads, and counts that to the peer's share of the round. */
    private FpduReader.Progress read() throws IOException, StreamException {
        int before = inbound.endedInTurn();
        try {
            return reader.read(turns.most());
        } finally {
            int messages = inbound.endedInTurn() - before;
            turns.spend(FairShare.TURN + reader.bytesRead() + messages * MESSAGE_COST);
        }
    }

    @Override
    public void endTurn() {
        singly = turns.areShort();
    }

    private void resumeReceiving() {
        if (reads()) {
            receive();
        }
        progress();
    }

    private boolean reads() {
        return phase == Phase.ACTIVE && heldTimer == null && !reading.isInLine();
    }

    /** Stops reading, because there is no Receive for the current Send. TCP flow control makes the peer wait. */
    private void hold() {
        endpoint.sockets().watch(key, key.interestOps() & ~SelectionKey.OP_READ);
        heldTimer = endpoint.loop().schedule(endpoint.receiveTimeout(), step(this::holdEnds));
    }

    private void holdEnds() {
        terminate(StreamException.noReceive(
                "the shared receive queue had no Receive for a Send within " + endpoint.receiveTimeout()));
        progress();
    }

    private void supplied(ReceiveRequest receive) {
        inbound.supply(receive);
        if (heldTimer != null) {
            heldTimer.cancel();
            heldTimer = null;
        }
        if (phase == Phase.ACTIVE) {
            endpoint.sockets().watch(key, key.interestOps() | SelectionKey.OP_READ);
            resumeReceiving();
        }
    }

    /** Schedules one write for the work of all tasks that are queued now. */
    private void progressSoon() {
        if (!progressDue) {
            progressDue = true;
            endpoint.loop().afterTasks(progressNow);
        }
    }

    private void progressNow() {
        progressDue = false;
        progress();
    }

    /** Writes pending messages and delivers completions. */
    private void progress() {
        transmit();
        deliver();
    }

    private void transmit() {
        boolean waits = phase == Phase.ACTIVE && !negotiated.maySendFirst() && !reader.hasReceived();
        if (phase == Phase.OVER || waits) {
            return;
        }
        try {
            boolean idle = write();
            StreamException fault = sendQueue.fault();
            if (fault != null && phase == Phase.ACTIVE) {
                terminate(fault);
                idle = write();
            }
            if (idle && phase == Phase.CLOSING) {
                over(cause, true);
            } else if (phase != Phase.OVER) {
                int read = reads() ? SelectionKey.OP_READ : 0;
                int write = idle || writing.isInLine() ? 0 : SelectionKey.OP_WRITE;
                endpoint.sockets().watch(key, read | write);
            }
        } catch (IOException e) {
            over(reasonFor(e), false);
        }
    }

    /** Writes, and counts that to the peer's share of the round. While others wait, leaves what exceeds it to a later round. */
    private boolean write() throws IOException {
        if (writing.isInLine() || (turns.areOver() && writer.hasMore())) {
            writing.join();
            return false;
        }
        try {
            return writer.write(turns.most());
        } finally {
            turns.spend(writer.bytesWritten() + writer.segmentsBuilt() * SEGMENT_COST);
        }
    }

    /** The reason why writing failed. Bytes that the peer sent earlier, such as a Terminate, may give a better one. */
    private RdmaException reasonFor(IOException failure) {
        try {
            inbound.beginTurn(Integer.MAX_VALUE);
            boolean reads = phase == Phase.ACTIVE && heldTimer == null;
            for (int round = 0; reads && round < LAST_ROUNDS; round++) {
                reads = reader.read(FairShare.ROUND) == FpduReader.Progress.MORE;
            }
        } catch (StreamException said) {
            return said.on(endpoint.toString());
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        return cause != null ? cause : lost(failure);
    }

    /** Passes completions to the handler. If it posts work, the loop sends that afterward. */
    private void deliver() {
        completions.deliver(calls);
    }

    /** Ends the stream after a violation or mistake of either side. */
    private void terminate(StreamException fault) {
        RdmaException reported = fault.on(endpoint.toString());
        ByteBuffer terminate = fault.terminate(reader.lastHead());
        if (terminate == null) {
            over(reported, true);
        } else if (phase == Phase.ACTIVE) {
            cause = reported;
            closing(terminate);
        }
    }

    private void closing(@Nullable ByteBuffer terminate) {
        phase = Phase.CLOSING;
        inbound.releaseTarget();
        writer.endWith(terminate);
        drainTimer = endpoint.loop().schedule(endpoint.drainTimeout(), () -> over(cause, false));
    }

    /**
     * Ends the connection; later calls do nothing.
     *
     * @param orderly whether the peer can still read the bytes written last
     */
    private void over(@Nullable RdmaException why, boolean orderly) {
        if (phase == Phase.OVER) {
            return;
        }
        phase = Phase.OVER;
        try {
            flush();
        } catch (Throwable broken) {
            flush();
            counters.errors().log(endpoint, "the end of the connection failed, and was tried again", broken);
        } finally {
            try {
                endSocket(orderly);
            } finally {
                calls.disconnected(why);
            }
        }
        LOG.log(Level.DEBUG, "{0}: over, {1}", endpoint, why == null ? "closed" : why.getMessage());
    }

    /** Completes all that waits or is in use. Called again after an Error, so each step does what is left to do. */
    private void flush() {
        cancel(heldTimer);
        cancel(drainTimer);
        endpoint.loop().recheck();
        inbound.releaseTarget();
        sendQueue.flush();
        inbound.flush();
        deliver();
        for (Exposure exposure : access.close()) {
            exposure.fenced();
            access.retire(exposure);
        }
        fences.close();
    }

    private void endSocket(boolean orderly) {
        if (orderly) {
            try {
                endpoint.linger(key, sharing);
                return;
            } catch (RuntimeException | Error broken) {
                counters.errors().log(endpoint, "the connection could not end in an orderly way", broken);
            }
        }
        endpoint.sockets().close(endpoint.channel());
    }

    /** Cancels a timer, which would keep an ended connection in memory. */
    private static void cancel(Timers.@Nullable Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }

    private void abort(RdmaException why) {
        over(why, false);
    }

    /** Revokes an exposure; see {@link RemoteAccess#revoke}. */
    private void fence(Exposure exposure) {
        if (endpoint.loop().isCurrent()) {
            fenceNow(exposure);
        } else {
            endpoint.loop().execute(step(() -> fenceNow(exposure)));
        }
    }

    private void fenceNow(Exposure exposure) {
        access.retire(exposure);
        fences.fence(exposure);
    }

    private StreamException endedInside() {
        return StreamException.unanswered("the peer closed the connection inside an FPDU");
    }

    private RdmaException lost(IOException e) {
        return new RdmaException(Reason.DISCONNECTED, endpoint + ": connection lost: " + e.getMessage(), e);
    }
}
