// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.iwarp.framing.FpduWriter;
import org.emplace.rdma.iwarp.framing.FpduWriter.Message;
import org.emplace.rdma.iwarp.framing.Segment;
import org.emplace.rdma.iwarp.framing.Segment.Opcode;
import org.emplace.rdma.iwarp.framing.Segment.ReadRequest;
import org.emplace.rdma.iwarp.framing.StreamException;
import org.emplace.rdma.iwarp.framing.StreamException.TerminateCode;
import org.emplace.rdma.iwarp.memory.AccessTable;
import org.emplace.rdma.iwarp.memory.Exposure;
import org.emplace.rdma.iwarp.memory.Region;
import org.emplace.rdma.provider.ConnectionCounters;
import org.jspecify.annotations.Nullable;

/**
 * Determines the next message to send: posted work requests in order, and Read Responses in the order of the peer's requests. If both wait, they
 * alternate. A Read beyond the outbound limit waits, and delays the requests posted after it. Any thread may post; the rest runs on the loop.
 */
final class IwarpSendQueue implements FpduWriter.Source {
    private final AccessTable access;
    private final int outboundReads;
    private final Consumer<Completion> completions;
    private final ConnectionCounters counters;
    /** The work requests that the loop has not taken yet; guarded by itself, as is {@code closed}. */
    private final List<WorkRequest> announced = new ArrayList<>(1);

    private final Deque<WorkRequest> posted = new ArrayDeque<>(1);
    private final Deque<ReadResponse> responses = new ArrayDeque<>(1);
    private final Deque<OutstandingRead> reads = new ArrayDeque<>(1);
    /** Sends, Writes and Read Responses that have begun and that TCP has not taken completely. */
    private final Deque<WorkRequest> requestsUnderWay = new ArrayDeque<>(1);

    private final Deque<ReadResponse> responsesUnderWay = new ArrayDeque<>(1);
    private int sendSequence = 1;
    private int readSequence = 1;
    private boolean responseWasLast;
    private boolean closed;
    private @Nullable StreamException fault;

    /** @param outboundReads how many RDMA Reads may be outstanding */
    IwarpSendQueue(
            AccessTable access, int outboundReads, Consumer<Completion> completions, ConnectionCounters counters) {
        this.access = access;
        this.outboundReads = outboundReads;
        this.completions = completions;
        this.counters = counters;
    }

    /**
     * Posts requests in order. They are ignored if the connection has ended.
     *
     * @return whether the caller must make the loop call {@link #takePosted}
     */
    boolean post(List<WorkRequest> requests) {
        for (int i = 0; i < requests.size(); i++) {
            check(requests.get(i));
        }
        boolean first;
        synchronized (announced) {
            if (closed) {
                return false;
            }
            first = announced.isEmpty();
            for (int i = 0; i < requests.size(); i++) {
                announced.add(requests.get(i));
            }
        }
        counters.posted(requests);
        return first;
    }

    /** As {@link #post(List)}, with one request. */
    boolean post(WorkRequest request) {
        check(request);
        boolean first;
        synchronized (announced) {
            if (closed) {
                return false;
            }
            first = announced.isEmpty();
            announced.add(request);
        }
        counters.posted(request);
        return first;
    }

    private static void check(WorkRequest request) {
        if (request instanceof WorkRequest.Read read) {
            Region.ofSink(read.sink());
            return;
        }
        List<MemorySegment> memory = request.memory();
        for (int i = 0; i < memory.size(); i++) {
            Region.of(memory.get(i));
        }
    }

    /** Takes the requests that have been posted, in order. */
    void takePosted() {
        synchronized (announced) {
            for (int i = 0; i < announced.size(); i++) {
                posted.add(announced.get(i));
            }
            announced.clear();
        }
    }

    void respond(ReadResponse response) {
        responses.add(response);
    }

    /** The number of the peer's Reads whose responses TCP has not taken completely. */
    int unansweredReads() {
        return responses.size() + responsesUnderWay.size();
    }

    /** This side's Reads whose response has not arrived completely, oldest first. */
    Queue<OutstandingRead> outstandingReads() {
        return reads;
    }

    /** A mistake of the consumer, found by {@link #next}, for which the stream must end; null if there is none. */
    @Nullable
    StreamException fault() {
        return fault;
    }

    @Override
    public boolean hasNext() {
        return fault == null && (!responses.isEmpty() || mayStartPosted());
    }

    /** As {@link FpduWriter.Source#next}; there is no next message while it must wait. */
    @Override
    public boolean next(Message message) {
        if (fault != null) {
            return false;
        }
        if (!responses.isEmpty() && (!responseWasLast || !mayStartPosted())) {
            responseWasLast = true;
            start(responses.remove(), message);
            return true;
        }
        responseWasLast = false;
        return mayStartPosted() && start(posted.remove(), message);
    }

    private boolean mayStartPosted() {
        WorkRequest next = posted.peek();
        return next != null && !(next instanceof WorkRequest.Read && reads.size() >= Math.max(1, outboundReads));
    }

    private void start(ReadResponse response, Message message) {
        responsesUnderWay.add(response);
        ReadRequest request = response.request();
        message.tagged(Opcode.READ_RESPONSE, request.sinkStag(), request.sinkOffset(), response.bytes());
    }

    private boolean start(WorkRequest request, Message message) {
        String mistake = request.brokenRule(outboundReads);
        if (mistake != null) {
            fault = StreamException.local(mistake);
            completions.accept(Completion.failure(request, Status.LOCAL_ERROR));
            return false;
        }
        if (request instanceof WorkRequest.Send send) {
            requestsUnderWay.add(send);
            message.untagged(
                    send.invalidate().isPresent() ? Opcode.SEND_INVALIDATE : Opcode.SEND,
                    send.invalidate().orElse(0),
                    sendSequence++,
                    send.gather());
        } else if (request instanceof WorkRequest.Write write) {
            requestsUnderWay.add(write);
            message.tagged(Opcode.WRITE, write.target().stag(), write.target().offset(), write.gather());
        } else {
            start((WorkRequest.Read) request, message);
        }
        return true;
    }

    private void start(WorkRequest.Read read, Message message) {
        OutstandingRead outstanding = new OutstandingRead(read, access.sinkStag(), access.randomOffset());
        reads.add(outstanding);
        message.readRequest(
                readSequence++,
                new ReadRequest(
                        outstanding.sinkStag(),
                        outstanding.sinkOffset(),
                        read.source().length(),
                        read.source().stag(),
                        read.source().offset()));
    }

    @Override
    public void written(Opcode opcode) {
        switch (opcode) {
            case READ_RESPONSE -> responsesUnderWay.remove().transferCompleted();
            case READ_REQUEST, TERMINATE -> {}
            default -> completions.accept(Completion.success(requestsUnderWay.remove()));
        }
    }

    /** Ends the queue, and flushes outstanding requests: first Reads in progress, then other requests in progress, then the rest, each in the order posted. */
    void flush() {
        synchronized (announced) {
            closed = true;
        }
        takePosted();
        reads.forEach(read -> completions.accept(Completion.failure(read.request(), Status.FLUSHED)));
        reads.clear();
        requestsUnderWay.forEach(request -> completions.accept(Completion.failure(request, Status.FLUSHED)));
        requestsUnderWay.clear();
        posted.forEach(request -> completions.accept(Completion.failure(request, Status.FLUSHED)));
        posted.clear();
        responses.clear();
    }

    /**
     * The response to the peer's Read Request.
     *
     * @param source the exposed memory, in use until TCP has taken the response; null for a Read of length zero
     */
    record ReadResponse(ReadRequest request, @Nullable Exposure source, List<MemorySegment> bytes) {

        /** TCP has taken the response. */
        void transferCompleted() {
            if (source != null) {
                source.transferCompleted();
            }
        }
    }

    /** An RDMA Read of this side whose response has not arrived completely. Read Response segments are placed only in its sink. */
    static final class OutstandingRead {
        private final WorkRequest.Read request;
        private final int sinkStag;
        private final long sinkOffset;
        private int received;

        OutstandingRead(WorkRequest.Read request, int sinkStag, long sinkOffset) {
            this.request = request;
            this.sinkStag = sinkStag;
            this.sinkOffset = sinkOffset;
        }

        WorkRequest.Read request() {
            return request;
        }

        int sinkStag() {
            return sinkStag;
        }

        long sinkOffset() {
            return sinkOffset;
        }

        /**
         * The offset in the sink at which a response's segment is placed. Each segment must start where the one before it ended, and the last must end at
         * the sink's end.
         */
        int place(Segment segment) throws StreamException {
            if (segment.stag() != sinkStag) {
                throw StreamException.violation(
                        TerminateCode.DDP_INVALID_STAG,
                        String.format("Read Response for STag %08x, not %08x", segment.stag(), sinkStag));
            }
            int left = request.sink().length() - received;
            if (segment.offset() != sinkOffset + received
                    || segment.length() > left
                    || segment.last() != (segment.length() == left)) {
                throw StreamException.violation(
                        TerminateCode.DDP_BOUNDS,
                        String.format(
                                "Read Response of %d bytes at offset %d%s does not match the %d bytes that are left of its sink",
                                segment.length(),
                                segment.offset() - sinkOffset,
                                segment.last() ? ", the last," : "",
                                left));
            }
            int place = received;
            received += segment.length();
            return place;
        }
    }
}
