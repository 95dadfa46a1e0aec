// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rpc.Destination;
import org.emplace.rpc.transport.PendingCall;
import org.emplace.rpc.transport.RemotePayload;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.ReadSegment;
import org.emplace.rpcrdma.header.WriteChunk;
import org.emplace.rpcrdma.memory.ChunkMemory;
import org.emplace.rpcrdma.memory.MessageMemory;
import org.emplace.rpcrdma.memory.MessagePiece;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.xdr.ChunkMark;
import org.emplace.xdr.EncodedMessage;
import org.jspecify.annotations.Nullable;

/**
 * A call that is encoded and has its form: what it takes to send it, and what it lends the peer. Its memory is given back when both its
 * Send and the call itself have ended.
 */
final class OutgoingCall {
    private final PendingCall<?, ?> call;
    private final EncodedMessage message;
    private final CallForm form;
    private final ReplyProvision provision;
    private final RdmaMemory domain;
    private final MessageMemory memory;
    private final List<RemoteAccess> accesses = new ArrayList<>();
    private final List<ResultChunk> results = new ArrayList<>();
    private final AtomicInteger users = new AtomicInteger(1);
    private final CompletableFuture<Void> prepared = new CompletableFuture<>();
    private @Nullable ChunkMemory replyChunk;

    OutgoingCall(
            PendingCall<?, ?> call,
            EncodedMessage message,
            CallForm form,
            ReplyProvision provision,
            RdmaMemory domain,
            MessageMemory memory) {
        this.call = call;
        this.message = message;
        this.form = form;
        this.provision = provision;
        this.domain = domain;
        this.memory = memory;
    }

    PendingCall<?, ?> call() {
        return call;
    }

    int xid() {
        return call.xid();
    }

    /** The memory behind the Write chunks that were offered. */
    List<ResultChunk> results() {
        return results;
    }

    /** The memory of the Reply chunk, if one was offered. */
    Optional<MemorySegment> replyChunk() {
        return Optional.ofNullable(replyChunk).map(ChunkMemory::segment);
    }

    /** Fetches the payloads of incoming calls that this call passes on; see {@link RemotePayload#whenHere}. */
    void whenArgumentsAreHere(Runnable next, Executor otherwise) {
        RemotePayload.whenHere(message, next, otherwise);
    }

    /**
     * Exposes what the call's chunks need. Called once, by a thread that may block.
     *
     * @return the pieces to gather into the Send
     */
    List<MemorySegment> prepare(QueuePair queuePair, int credits, int threshold) throws IOException {
        try {
            return expose(queuePair, credits, threshold);
        } finally {
            prepared.complete(null);
        }
    }

    private List<MemorySegment> expose(QueuePair queuePair, int credits, int threshold) throws IOException {
        List<WriteChunk> writes = exposeResults(queuePair);
        Optional<WriteChunk> reply = exposeReply(queuePair);
        if (form instanceof CallForm.Inline inline) {
            List<ReadSegment> reads = exposeArguments(queuePair, inline.readChunks());
            List<MessagePiece> pieces = MessagePiece.of(message, inline.readChunks());
            call.tally().inline(MessagePiece.length(pieces));
            return memory.inline(new Header.Message(xid(), credits, new ChunkLists(reads, writes, reply)), pieces);
        }
        List<ReadSegment> reads = exposeMessage(queuePair, threshold);
        return memory.headerAlone(new Header.NoMessage(xid(), credits, new ChunkLists(reads, writes, reply)));
    }

    /** Takes back what the peer was lent, once the call has been prepared; see {@link RemoteAccess#revoke}. */
    CompletionStage<Void> fence() {
        return prepared.thenCompose(done -> revoke());
    }

    private CompletionStage<Void> revoke() {
        if (accesses.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.allOf(accesses.stream()
                .map(access -> access.revoke().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }

    /** The Send is about to be posted. */
    void sending() {
        users.incrementAndGet();
    }

    /** The Send or the call itself, whose memory is fenced, has ended; after the last of them the memory is given back. */
    void ended() {
        if (users.decrementAndGet() == 0) {
            memory.release();
            results.forEach(ResultChunk::release);
            if (replyChunk != null) {
                replyChunk.release().run();
            }
        }
    }

    private List<WriteChunk> exposeResults(QueuePair queuePair) throws RdmaException {
        List<WriteChunk> chunks = new ArrayList<>();
        for (long size : provision.writeChunks()) {
            int index = results.size();
            List<Destination> destinations = call.destinations();
            ResultChunk result = ResultChunk.of(
                    index < destinations.size() ? destinations.get(index) : Destination.allocate(), size, domain);
            results.add(result);
            chunks.add(new WriteChunk(List.of(expose(queuePair, result.segment(), RemoteAccess.Right.REMOTE_WRITE))));
        }
        return chunks;
    }

    private Optional<WriteChunk> exposeReply(QueuePair queuePair) throws RdmaException {
        if (provision.replyChunk() == 0) {
            return Optional.empty();
        }
        replyChunk = domain.staging(Math.toIntExact(provision.replyChunk()));
        RemoteSegment segment = expose(queuePair, replyChunk.segment(), RemoteAccess.Right.REMOTE_WRITE);
        return Optional.of(new WriteChunk(List.of(segment)));
    }

    private List<ReadSegment> exposeArguments(QueuePair queuePair, List<ChunkMark> chunks) throws IOException {
        List<ReadSegment> reads = new ArrayList<>();
        for (ChunkMark mark : chunks) {
            MemorySegment segment = memory.chunk(mark);
            call.tally().readChunk(segment.length());
            reads.add(new ReadSegment(
                    message.positionOf(mark), expose(queuePair, segment, RemoteAccess.Right.REMOTE_READ)));
        }
        return reads;
    }

    /** The message in its pieces where they are; copied together only where the header has no room for that many segments. */
    private List<ReadSegment> exposeMessage(QueuePair queuePair, int threshold) throws IOException {
        List<MessagePiece> pieces = MessagePiece.of(message, List.of());
        call.tally().positionZero(MessagePiece.length(pieces));
        List<MemorySegment> segments = provision.callHeader(pieces.size()) <= threshold
                ? memory.inPlace(pieces)
                : List.of(memory.together(pieces));
        List<ReadSegment> reads = new ArrayList<>();
        for (MemorySegment segment : segments) {
            reads.add(new ReadSegment(0, expose(queuePair, segment, RemoteAccess.Right.REMOTE_READ)));
        }
        return reads;
    }

    private RemoteSegment expose(QueuePair queuePair, MemorySegment segment, RemoteAccess.Right right)
            throws RdmaException {
        RemoteAccess access = queuePair.expose(segment, right);
        accesses.add(access);
        return access.advertised();
    }
}
