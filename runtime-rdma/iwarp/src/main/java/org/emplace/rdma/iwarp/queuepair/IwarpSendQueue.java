// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.emplace.rdma.Completion;
import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.iwarp.framing.Opcode;
import org.emplace.rdma.iwarp.framing.OutboundMessage;
import org.emplace.rdma.iwarp.framing.ReadRequest;
import org.emplace.rdma.iwarp.framing.StreamException;
import org.emplace.rdma.iwarp.memory.AccessTable;
import org.emplace.rdma.iwarp.memory.Region;
import org.emplace.rdma.provider.WorkRequestRules;
import org.jspecify.annotations.Nullable;

/**
 * Decides which message goes out next: posted work requests in their order, and Read Responses in the order of the peer's requests, in
 * turns where both wait. A Read beyond the outbound limit waits, and what was posted after it with it.
 */
final class IwarpSendQueue {
    private final AccessTable access;
    private final int outboundReads;
    private final Consumer<Completion> completions;
    private final Deque<WorkRequest> posted = new ArrayDeque<>();
    private final Deque<ReadResponse> responses = new ArrayDeque<>();
    private final Deque<OutstandingRead> reads = new ArrayDeque<>();
    private final Deque<WorkRequest> beingWritten = new ArrayDeque<>();
    private final Runnable firstWritten = this::firstIsWritten;
    private int sendSequence = 1;
    private int readSequence = 1;
    private int unansweredReads;
    private boolean responseWasLast;
    private @Nullable StreamException fault;

    /** @param outboundReads how many Reads may be outstanding */
    IwarpSendQueue(AccessTable access, int outboundReads, Consumer<Completion> completions) {
        this.access = access;
        this.outboundReads = outboundReads;
        this.completions = completions;
    }

    void post(WorkRequest request) {
        posted.add(request);
    }

    void respond(ReadResponse response) {
        responses.add(response);
        unansweredReads++;
    }

    /** The peer's Reads whose responses are not all with TCP. */
    int unansweredReads() {
        return unansweredReads;
    }

    /** The Reads of this side that wait for their response, oldest first. */
    Queue<OutstandingRead> outstandingReads() {
        return reads;
    }

    /** A consumer's mistake that {@link #next} came upon: the stream has to end. */
    @Nullable
    StreamException fault() {
        return fault;
    }

    /** The next message; null if there is none or it has to wait. */
    @Nullable
    OutboundMessage next() {
        if (fault != null) {
            return null;
        }
        if (!responses.isEmpty() && (!responseWasLast || !mayStartPosted())) {
            responseWasLast = true;
            return start(responses.remove());
        }
        responseWasLast = false;
        return mayStartPosted() ? start(posted.remove()) : null;
    }

    private boolean mayStartPosted() {
        WorkRequest next = posted.peek();
        return next != null && !(next instanceof WorkRequest.Read && reads.size() >= Math.max(1, outboundReads));
    }

    private OutboundMessage start(ReadResponse response) {
        ReadRequest request = response.request();
        return OutboundMessage.tagged(
                Opcode.READ_RESPONSE, request.sinkStag(), request.sinkOffset(), List.of(response.bytes()), () -> {
                    unansweredReads--;
                    response.end();
                });
    }

    private @Nullable OutboundMessage start(WorkRequest request) {
        String mistake = mistake(request);
        if (mistake != null) {
            fault = StreamException.local(mistake);
            completions.accept(Completion.failure(request, Status.LOCAL_ERROR));
            return null;
        }
        if (request instanceof WorkRequest.Send send) {
            beingWritten.add(send);
            return OutboundMessage.untagged(
                    send.invalidate().isPresent() ? Opcode.SEND_INVALIDATE : Opcode.SEND,
                    send.invalidate().orElse(0),
                    sendSequence++,
                    buffers(send.gather()),
                    firstWritten);
        } else if (request instanceof WorkRequest.Write write) {
            beingWritten.add(write);
            return OutboundMessage.tagged(
                    Opcode.WRITE,
                    write.target().stag(),
                    write.target().offset(),
                    buffers(write.gather()),
                    firstWritten);
        }
        return start((WorkRequest.Read) request);
    }

    private OutboundMessage start(WorkRequest.Read read) {
        OutstandingRead outstanding = new OutstandingRead(read, access.sinkStag(), access.randomOffset());
        reads.add(outstanding);
        ReadRequest request = new ReadRequest(
                outstanding.sinkStag(),
                outstanding.sinkOffset(),
                read.source().length(),
                read.source().stag(),
                read.source().offset());
        return OutboundMessage.untagged(Opcode.READ_REQUEST, 0, readSequence++, List.of(request.toBytes()), () -> {});
    }

    private void firstIsWritten() {
        completions.accept(Completion.success(beingWritten.remove()));
    }

    /** Ends everything that has not ended, in the order posted, Reads first. */
    void flush() {
        reads.forEach(read -> completions.accept(Completion.failure(read.request(), Status.FLUSHED)));
        reads.clear();
        beingWritten.forEach(request -> completions.accept(Completion.failure(request, Status.FLUSHED)));
        beingWritten.clear();
        posted.forEach(request -> completions.accept(Completion.failure(request, Status.FLUSHED)));
        posted.clear();
        responses.clear();
    }

    /** What is wrong with a request, in words; null if nothing is. */
    private @Nullable String mistake(WorkRequest request) {
        for (MemorySegment segment : request.memory()) {
            if (!Region.of(segment).isOpen()) {
                return "a work request names deregistered memory";
            }
        }
        return WorkRequestRules.broken(request, outboundReads);
    }

    private static List<ByteBuffer> buffers(List<MemorySegment> gather) {
        List<ByteBuffer> buffers = new ArrayList<>(gather.size());
        for (MemorySegment segment : gather) {
            buffers.add(Region.bytes(segment, 0, segment.length()));
        }
        return buffers;
    }
}
