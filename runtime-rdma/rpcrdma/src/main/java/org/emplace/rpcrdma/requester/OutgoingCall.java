// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rpc.ResultPlaces.Place;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.client.PendingCall;
import org.emplace.rpcrdma.header.ChunkLimits;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.header.ChunkLists.WriteChunk;
import org.emplace.rpcrdma.header.ConnectionPrivateData.InlineThresholds;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.SendQueue;
import org.emplace.rpcrdma.memory.OutgoingMessage;
import org.emplace.rpcrdma.memory.OutgoingMessage.Piece;
import org.emplace.rpcrdma.memory.RdmaMemory.ChunkMemory;
import org.emplace.rpcrdma.requester.CallForm.ReplyProvision;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.jspecify.annotations.Nullable;

/**
 * An encoded call with its form and the memory that it exposes to the peer. The memory is released when both the Send
 * and the call itself have ended.
 */
final class OutgoingCall implements SendQueue.CompletionListener {
    private static final CompletableFuture<Void> PREPARED = CompletableFuture.completedFuture(null);

    private final PendingCall<?, ?> call;
    private final Link link;
    private final EncodedMessage message;
    private final CallForm form;
    private final ReplyProvision provision;
    private final OutgoingMessage memory;
    private List<RemoteAccess> accesses = List.of();
    private List<ResultChunk> results = List.of();
    private @Nullable ChunkMemory replyChunk;

    /**
     * The number of unfinished users of the memory: the call itself and its Send. This field and those below are
     * guarded by this.
     */
    private int users = 1;

    /** {@link #PREPARED} once {@link #prepare} has ended; before that, null unless {@link #fence} waits for its end. */
    private @Nullable CompletableFuture<Void> whenPrepared;

    private OutgoingCall(
            PendingCall<?, ?> call,
            Link link,
            EncodedMessage message,
            CallForm form,
            ReplyProvision provision,
            OutgoingMessage memory) {
        this.call = call;
        this.link = link;
        this.message = message;
        this.form = form;
        this.provision = provision;
        this.memory = memory;
    }

    /**
     * Encodes a call, and decides its form and the memory for its reply.
     *
     * @param forward the direction of the call; a call in the backward direction has no chunks
     * @throws RpcException if the arguments cannot be encoded, there is no memory for them, or the message is too long
     *     for this direction
     */
    static <A> OutgoingCall encode(PendingCall<A, ?> call, Link link, boolean forward) throws RpcException {
        InlineThresholds thresholds = link.thresholds();
        OutgoingMessage memory = link.messages().acquire(link.memory().pool(), call.counters());
        try {
            EncodedMessage message = call.encode(memory.encoder());
            ReplyProvision provision = forward ? provision(call, thresholds) : ReplyProvision.INLINE;
            int readChunks = forward ? call.procedure().binding().readChunkLimit() : 0;
            CallForm form = CallForm.of(message, provision, thresholds.send(), readChunks);
            if (!forward && form instanceof CallForm.LongCall) {
                throw call.failure(
                        RpcException.Kind.NO_RESOURCES,
                        "the message has " + message.unreducedLength()
                                + " bytes, but a call in the backward direction is always inline, with at most "
                                + thresholds.send() + " bytes including the header",
                        null);
            }
            return new OutgoingCall(call, link, message, form, provision, memory);
        } catch (UncheckedIOException exhausted) {
            memory.release();
            throw call.failure(
                    RpcException.Kind.NO_RESOURCES,
                    "cannot be sent: "
                            + Objects.requireNonNull(exhausted.getCause()).getMessage(),
                    exhausted);
        } catch (RpcException | RuntimeException | Error failure) {
            memory.release();
            throw failure;
        }
    }

    private static ReplyProvision provision(PendingCall<?, ?> call, InlineThresholds thresholds) {
        int chunkLimit = ReplyProvision.chunkLimit(call.procedure().binding(), thresholds);
        return ReplyProvision.of(call.places(), call.replyVerifierBound(), call.replyBound(), chunkLimit, thresholds);
    }

    PendingCall<?, ?> call() {
        return call;
    }

    int xid() {
        return call.xid();
    }

    EncodedMessage message() {
        return message;
    }

    /** The memory of the Write chunks. */
    List<ResultChunk> results() {
        return results;
    }

    /** The memory of the Reply chunk; empty if there is none. */
    Optional<MemorySegment> replyChunk() {
        return Optional.ofNullable(replyChunk).map(ChunkMemory::segment);
    }

    /**
     * Exposes the memory of the call's chunks. Called once. Blocks only if memory must be allocated, registered or fetched.
     *
     * @param credits the credits to request
     * @return the pieces to gather into the Send
     */
    List<MemorySegment> prepare(int credits) throws IOException {
        try {
            return expose(credits);
        } finally {
            CompletableFuture<Void> waiting;
            synchronized (this) {
                waiting = whenPrepared;
                whenPrepared = PREPARED;
            }
            if (waiting != null) {
                waiting.complete(null);
            }
        }
    }

    private List<MemorySegment> expose(int credits) throws IOException {
        if (form.isWhole() && provision.isInline()) {
            call.counters().inline(message.unreducedLength());
            return memory.inline(xid(), credits, message);
        }
        List<WriteChunk> writes = exposeResults();
        Optional<WriteChunk> reply = exposeReply();
        if (form instanceof CallForm.Inline inline) {
            List<ReadChunk> reads = exposeArguments(inline.readChunks(), inline.mostSegments());
            call.counters().inline(message.lengthWithout(inline.readChunks()));
            Header header = new Header.Message(xid(), credits, new ChunkLists(reads, writes, reply));
            return memory.inline(header, message, inline.readChunks());
        }
        List<ReadChunk> reads = List.of(exposeMessage());
        return memory.headerAlone(new Header.NoMessage(xid(), credits, new ChunkLists(reads, writes, reply)));
    }

    /**
     * Revokes the peer's access to the call's memory, after {@link #prepare} has returned; see {@link
     * RemoteAccess#revoke}.
     *
     * @return {@link RemoteAccess#FENCED} if the peer no longer has access to any memory of the call
     */
    CompletionStage<Void> fence() {
        synchronized (this) {
            if (whenPrepared == null) {
                whenPrepared = new CompletableFuture<>();
            }
            if (whenPrepared != PREPARED) {
                return whenPrepared.thenCompose(done -> revoke());
            }
        }
        return revoke();
    }

    private CompletionStage<Void> revoke() {
        CompletionStage<Void> fenced = RemoteAccess.FENCED;
        for (int i = 0; i < accesses.size(); i++) {
            CompletionStage<Void> next = accesses.get(i).revoke();
            if (next != RemoteAccess.FENCED) {
                fenced = fenced == RemoteAccess.FENCED ? next : fenced.runAfterBoth(next, () -> {});
            }
        }
        return fenced;
    }

    /** Called before the Send is posted. */
    synchronized void sending() {
        users++;
    }

    /** Called when the Send has completed. */
    @Override
    public void completed(Completion.Status status) {
        release();
    }

    /**
     * Called when the Send has completed, and when the call itself has ended and its memory is fenced. The last of
     * these calls releases the memory.
     */
    void release() {
        synchronized (this) {
            users--;
            if (users > 0) {
                return;
            }
        }
        memory.release();
        for (int i = 0; i < results.size(); i++) {
            results.get(i).release();
        }
        if (replyChunk != null) {
            replyChunk.release().run();
        }
    }

    private List<WriteChunk> exposeResults() throws RdmaException {
        if (provision.writeChunks() == 0) {
            return List.of();
        }
        int further = provision.furtherSegments();
        if (provision.writeChunks() == 1) {
            ResultChunk only = resultChunk(0, further);
            results = List.of(only);
            return List.of(new WriteChunk(expose(only)));
        }
        WriteChunk[] chunks = new WriteChunk[provision.writeChunks()];
        results = new ArrayList<>(chunks.length);
        for (int i = 0; i < chunks.length; i++) {
            ResultChunk result = resultChunk(i, further);
            further -= result.segments() - 1;
            results.add(result);
            chunks[i] = new WriteChunk(expose(result));
        }
        return List.of(chunks);
    }

    /** @param further the most segments after the first */
    private ResultChunk resultChunk(int index, int further) throws RdmaException {
        Place place = call.places().get(index);
        boolean inPieces = ReplyProvision.furtherSegments(place) <= further && ReplyProvision.areWorthIt(place);
        return ResultChunk.of(place, inPieces, link.memory(), call.counters());
    }

    private List<RemoteSegment> expose(ResultChunk result) throws RdmaException {
        RemoteSegment first = expose(result.segment(0), RemoteAccess.Right.REMOTE_WRITE);
        if (result.segments() == 1) {
            return List.of(first);
        }
        List<RemoteSegment> exposed = new ArrayList<>(result.segments());
        exposed.add(first);
        for (int i = 1; i < result.segments(); i++) {
            exposed.add(expose(result.segment(i), RemoteAccess.Right.REMOTE_WRITE));
        }
        return exposed;
    }

    private Optional<WriteChunk> exposeReply() throws RdmaException {
        if (provision.replyChunk() == 0) {
            return Optional.empty();
        }
        replyChunk = link.memory().staging(Math.toIntExact(provision.replyChunk()));
        RemoteSegment segment = expose(replyChunk.segment(), RemoteAccess.Right.REMOTE_WRITE);
        return Optional.of(new WriteChunk(List.of(segment)));
    }

    /**
     * Exposes items in place, each piece as a segment. Copies the pieces of an item into one segment if the header
     * has no room for more, or if they are so short that a responder need not accept them.
     *
     * @param mostSegments the most segments of all chunks together
     */
    private List<ReadChunk> exposeArguments(List<ChunkMark> chunks, int mostSegments) throws IOException {
        if (chunks.isEmpty()) {
            return List.of();
        }
        ReadChunk[] reads = new ReadChunk[chunks.size()];
        int further = Math.min(mostSegments - chunks.size(), ChunkLimits.MOST_SEGMENTS);
        for (int i = 0; i < chunks.size(); i++) {
            ChunkMark mark = chunks.get(i);
            List<MemorySegment> segments = memory.chunk(mark, most(1 + further, mark.length()));
            further -= segments.size() - 1;
            call.counters().readChunk(mark.length());
            reads[i] = new ReadChunk(message.positionOf(mark), exposeForReading(segments));
        }
        return List.of(reads);
    }

    /** Exposes the whole message as the Position Zero Read chunk. */
    private ReadChunk exposeMessage() throws IOException {
        List<Piece> pieces = Piece.of(message, List.of());
        long length = Piece.length(pieces);
        call.counters().positionZero(length);
        int fitting = Math.min(provision.mostReadSegments(link.thresholds().send()), ChunkLimits.MOST_SEGMENTS);
        return new ReadChunk(0, exposeForReading(memory.chunk(pieces, most(fitting, length))));
    }

    private static int most(int fitting, long length) {
        return (int) Math.min(fitting, ChunkLimits.mostSegments(length));
    }

    private List<RemoteSegment> exposeForReading(List<MemorySegment> segments) throws RdmaException {
        if (segments.size() == 1) {
            return List.of(expose(segments.get(0), RemoteAccess.Right.REMOTE_READ));
        }
        List<RemoteSegment> exposed = new ArrayList<>(segments.size());
        for (MemorySegment segment : segments) {
            exposed.add(expose(segment, RemoteAccess.Right.REMOTE_READ));
        }
        return exposed;
    }

    private RemoteSegment expose(MemorySegment segment, RemoteAccess.Right right) throws RdmaException {
        RemoteAccess access = link.queuePair().expose(segment, right);
        keep(access);
        return access.advertised();
    }

    private void keep(RemoteAccess access) {
        if (accesses.isEmpty()) {
            // Most calls with chunks have one segment.
            accesses = List.of(access);
            return;
        }
        if (accesses.size() == 1) {
            accesses = new ArrayList<>(accesses);
        }
        accesses.add(access);
    }
}
