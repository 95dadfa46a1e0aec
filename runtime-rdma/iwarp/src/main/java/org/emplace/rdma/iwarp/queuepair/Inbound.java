// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.iwarp.framing.FpduReader;
import org.emplace.rdma.iwarp.framing.Segment;
import org.emplace.rdma.iwarp.framing.Segment.Opcode;
import org.emplace.rdma.iwarp.framing.Segment.ReadRequest;
import org.emplace.rdma.iwarp.framing.StreamException;
import org.emplace.rdma.iwarp.framing.StreamException.TerminateCode;
import org.emplace.rdma.iwarp.memory.AccessTable;
import org.emplace.rdma.iwarp.memory.Exposure;
import org.emplace.rdma.iwarp.memory.Region;
import org.emplace.rdma.iwarp.queuepair.IwarpSendQueue.OutstandingRead;
import org.emplace.rdma.iwarp.queuepair.IwarpSharedReceives.IwarpReceiveQueue;
import org.jspecify.annotations.Nullable;

/** The receiving side of DDP and RDMAP: determines where each segment's payload is placed, and completes messages. */
final class Inbound implements FpduReader.Sink {
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    private final AccessTable access;
    private final IwarpSendQueue sendQueue;
    private final int inboundReads;
    private final Consumer<Completion> completions;
    private final BooleanSupplier undelivered;
    private final IwarpReceiveQueue receives;
    /** The payload of Read Requests and Terminates; allocated for the first of them. */
    private ByteBuffer control = NOTHING;

    private final int[] nextSequence = {1, 1, 1};
    /** How many messages this turn has left. */
    private int turnLeft;
    /** How many messages have ended in this turn. */
    private int endedInTurn;
    /** How many bytes of the current Send have been placed, and its opcode. */
    private int sendOffset;

    private @Nullable Opcode sendOpcode;
    /** The Receive of the current Send. */
    private @Nullable ReceiveRequest receive;

    private @Nullable Exposure target;
    /** The destination of the current segment, a view, and its region. */
    private @Nullable ByteBuffer view;

    private @Nullable Region viewed;

    /**
     * Creates the receiving side of a new connection.
     *
     * @param inboundReads how many Reads the peer may have outstanding
     * @param completions takes the completions
     * @param undelivered whether there are completions that the handler has not got yet
     */
    Inbound(
            AccessTable access,
            IwarpSendQueue sendQueue,
            int inboundReads,
            IwarpReceiveQueue receives,
            Consumer<Completion> completions,
            BooleanSupplier undelivered) {
        this.access = access;
        this.sendQueue = sendQueue;
        this.inboundReads = inboundReads;
        this.receives = receives;
        this.completions = completions;
        this.undelivered = undelivered;
    }

    /** Begins a turn of at most so many messages. */
    void beginTurn(int messages) {
        turnLeft = messages;
        endedInTurn = 0;
    }

    /** The number of the peer's messages that have ended since {@link #beginTurn}: Sends, RDMA Read Requests and Responses. */
    int endedInTurn() {
        return endedInTurn;
    }

    @Override
    public boolean isTurnOver() {
        return turnLeft <= 0;
    }

    /** Supplies the Receive for which the current Send waits. */
    void supply(ReceiveRequest awaited) {
        receive = awaited;
    }

    /** Flushes the unused Receives. */
    void flush() {
        if (receive != null) {
            endReceive(receive, Status.FLUSHED);
        }
        receives.flush().forEach(unused -> endReceive(unused, Status.FLUSHED));
    }

    private void endReceive(ReceiveRequest ended, Status status) {
        receive = null;
        completions.accept(new Completion(ended.id(), Operation.RECEIVE, status, 0, OptionalInt.empty()));
    }

    @Override
    public @Nullable ByteBuffer place(Segment segment) throws StreamException {
        if (segment.isTagged()) {
            return segment.opcode() == Opcode.WRITE ? placeWrite(segment) : placeReadResponse(segment);
        }
        int expected = nextSequence[segment.opcode().queue()];
        if (segment.sequence() != expected) {
            throw StreamException.violation(
                    TerminateCode.DDP_SEQUENCE,
                    String.format(
                            "%s has message sequence number %s, not %s",
                            segment.opcode(),
                            Integer.toUnsignedString(segment.sequence()),
                            Integer.toUnsignedString(expected)));
        }
        return segment.opcode().queue() == 0 ? placeSend(segment) : placeControl(segment);
    }

    private ByteBuffer placeWrite(Segment segment) throws StreamException {
        if (segment.length() == 0) {
            return NOTHING;
        }
        Exposure exposure = access.find(segment.stag());
        if (exposure == null) {
            throw refusal(segment, TerminateCode.DDP_INVALID_STAG, ", which is not exposed");
        }
        if (!exposure.allows(Right.REMOTE_WRITE)) {
            throw refusal(segment, TerminateCode.RDMAP_NO_RIGHT, ", which is exposed for Reads");
        }
        switch (exposure.check(segment.offset(), segment.length())) {
            case WRAP -> throw refusal(segment, TerminateCode.DDP_WRAP, " wraps its offset");
            case BOUNDS -> throw refusal(segment, TerminateCode.DDP_BOUNDS, " leaves its memory");
            case NONE -> {
                exposure.transferStarted();
                target = exposure;
            }
        }
        return hold(exposure.region(), exposure.acquireView(segment.offset(), segment.length()));
    }

    private static StreamException refusal(Segment write, TerminateCode code, String fault) {
        return StreamException.violation(
                code, String.format("RDMA Write of %d bytes to STag %08x%s", write.length(), write.stag(), fault));
    }

    private ByteBuffer placeReadResponse(Segment segment) throws StreamException {
        OutstandingRead read = sendQueue.outstandingReads().peek();
        if (read == null) {
            throw StreamException.violation(TerminateCode.RDMAP_OPCODE, "Read Response without a Read");
        }
        int place = read.place(segment);
        MemorySegment sink = read.request().sink();
        if (!Region.of(sink).isOpen()) {
            sendQueue.outstandingReads().remove();
            completions.accept(Completion.failure(read.request(), Status.LOCAL_ERROR));
            throw StreamException.local("the sink of an RDMA Read was deregistered");
        }
        return hold(sink, place, segment.length());
    }

    private @Nullable ByteBuffer placeSend(Segment segment) throws StreamException {
        if (receive == null) {
            receive = receives.poll(undelivered.getAsBoolean());
        }
        return receive == null ? null : placeSend(segment, receive);
    }

    private ByteBuffer placeSend(Segment segment, ReceiveRequest receive) throws StreamException {
        if (segment.offset() != sendOffset) {
            throw badOffset(segment, sendOffset);
        }
        if (sendOpcode != null && sendOpcode != segment.opcode()) {
            throw StreamException.violation(TerminateCode.RDMAP_OPCODE, sendOpcode + " goes on as " + segment.opcode());
        }
        if (segment.length() > receive.sink().length() - sendOffset) {
            throw StreamException.violation(
                    TerminateCode.DDP_TOO_LONG,
                    "Send of " + (sendOffset + segment.length()) + " bytes or more for a Receive of "
                            + receive.sink().length());
        }
        if (!Region.of(receive.sink()).isOpen()) {
            endReceive(receive, Status.LOCAL_ERROR);
            throw StreamException.local("the memory of a Receive was deregistered");
        }
        sendOpcode = segment.opcode();
        ByteBuffer place = hold(receive.sink(), sendOffset, segment.length());
        sendOffset += segment.length();
        return place;
    }

    private ByteBuffer hold(MemorySegment place, int offset, int length) {
        Region region = Region.of(place);
        return hold(region, region.acquireView(place.offset() + offset, length));
    }

    private ByteBuffer hold(Region region, ByteBuffer acquired) {
        viewed = region;
        view = acquired;
        return acquired;
    }

    private ByteBuffer placeControl(Segment segment) throws StreamException {
        if (segment.offset() != 0) {
            throw badOffset(segment, 0);
        }
        boolean read = segment.opcode() == Opcode.READ_REQUEST;
        if (segment.length() > (read ? ReadRequest.LENGTH : TerminateCode.MESSAGE_LIMIT)) {
            throw StreamException.violation(
                    TerminateCode.DDP_TOO_LONG, segment.opcode() + " of " + segment.length() + " bytes");
        }
        if (!segment.last() || segment.length() < (read ? ReadRequest.LENGTH : Integer.BYTES)) {
            throw StreamException.violation(
                    TerminateCode.RDMAP_STREAM_CATASTROPHE,
                    segment.opcode() + " of " + segment.length() + " bytes" + (segment.last() ? "" : " and more"));
        }
        if (control.capacity() == 0) {
            control = ByteBuffer.allocateDirect(TerminateCode.MESSAGE_LIMIT);
        }
        return control.clear().limit(segment.length());
    }

    private static StreamException badOffset(Segment segment, int expected) {
        return StreamException.violation(
                TerminateCode.DDP_MESSAGE_OFFSET,
                segment.opcode() + " has message offset " + segment.offset() + ", not " + expected);
    }

    @Override
    public void placed(Segment segment) throws StreamException {
        if (view != null && viewed != null) {
            viewed.releaseView(view);
            view = null;
            viewed = null;
        }
        releaseTarget();
        if (!segment.last()) {
            return;
        }
        if (!segment.isTagged() || segment.opcode() == Opcode.READ_RESPONSE) {
            turnLeft--;
            endedInTurn++;
        }
        if (!segment.isTagged()) {
            nextSequence[segment.opcode().queue()]++;
            switch (segment.opcode()) {
                case READ_REQUEST -> readRequested(ReadRequest.parse(control));
                case TERMINATE -> terminated(Short.toUnsignedInt(control.getShort(0)));
                default -> received(segment);
            }
        } else if (segment.opcode() == Opcode.READ_RESPONSE) {
            completions.accept(
                    Completion.success(sendQueue.outstandingReads().remove().request()));
        }
    }

    @Override
    public boolean expectsTagged() {
        return access.isExposing() || !sendQueue.outstandingReads().isEmpty();
    }

    /** Releases the destination of the current segment, which will not be completed. Its memory is no longer written. */
    void releaseTarget() {
        if (target != null) {
            target.transferCompleted();
            target = null;
        }
    }

    private void received(Segment segment) throws StreamException {
        OptionalInt invalidated = OptionalInt.empty();
        if (segment.opcode().invalidates()) {
            Exposure exposure = access.find(segment.stag());
            if (exposure != null) {
                exposure.revoke();
            } else if (!access.mayInvalidate(segment.stag())) {
                throw StreamException.violation(
                        TerminateCode.RDMAP_INVALID_STAG,
                        String.format("Send invalidates STag %08x, which is not exposed", segment.stag()));
            }
            invalidated = OptionalInt.of(segment.stag());
        }
        int id =
                Objects.requireNonNull(receive, "a Send is placed in a Receive").id();
        completions.accept(new Completion(id, Operation.RECEIVE, Status.SUCCESS, sendOffset, invalidated));
        receive = null;
        sendOffset = 0;
        sendOpcode = null;
    }

    private void readRequested(ReadRequest request) throws StreamException {
        if (sendQueue.unansweredReads() >= inboundReads) {
            throw StreamException.refusal(
                    TerminateCode.RDMAP_STREAM_CATASTROPHE,
                    request,
                    "more RDMA Reads outstanding than the " + inboundReads + " agreed on");
        }
        if (request.length() == 0) {
            sendQueue.respond(new IwarpSendQueue.ReadResponse(request, null, List.of()));
            return;
        }
        Exposure source = access.find(request.sourceStag());
        if (source == null) {
            throw refusal(request, TerminateCode.RDMAP_INVALID_STAG, ", which is not exposed");
        }
        if (!source.allows(Right.REMOTE_READ)) {
            throw refusal(request, TerminateCode.RDMAP_NO_RIGHT, ", which is exposed for Writes");
        }
        switch (source.check(request.sourceOffset(), request.length())) {
            case WRAP -> throw refusal(request, TerminateCode.RDMAP_WRAP, " wraps its offset");
            case BOUNDS -> throw refusal(request, TerminateCode.RDMAP_BOUNDS, " leaves its memory");
            case NONE -> source.transferStarted();
        }
        MemorySegment bytes = source.range(request.sourceOffset(), (int) request.length());
        sendQueue.respond(new IwarpSendQueue.ReadResponse(request, source, List.of(bytes)));
    }

    private static StreamException refusal(ReadRequest read, TerminateCode code, String fault) {
        return StreamException.refusal(
                code,
                read,
                String.format("RDMA Read of %d bytes from STag %08x%s", read.length(), read.sourceStag(), fault));
    }

    private void terminated(int bits) throws StreamException {
        OutstandingRead refused =
                TerminateCode.refusesRead(bits) ? sendQueue.outstandingReads().poll() : null;
        if (refused != null) {
            completions.accept(Completion.failure(refused.request(), Status.REMOTE_ERROR));
        }
        throw StreamException.terminated("the peer terminated the connection: " + TerminateCode.describe(bits));
    }
}
