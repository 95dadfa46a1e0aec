// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.capture.RdmaMessage.Segment;

/** A TCP connection that may carry iWARP: finds the RDMA operations in the DDP segments of both directions (RFC 5040, RFC 5041). */
final class IwarpConnection {
    private static final int TAGGED_HEADER = 14;
    private static final int UNTAGGED_HEADER = 18;
    private static final int READ_REQUEST_LENGTH = UNTAGGED_HEADER + 28;
    private static final int TAGGED = 0x80;
    private static final int LAST = 0x40;
    private static final int WRITE = 0;
    private static final int READ_REQUEST = 1;
    private static final int READ_RESPONSE = 2;
    private static final int SEND = 3;
    private static final int SEND_WITH_SOLICITED_EVENT_AND_INVALIDATE = 6;
    private static final int TERMINATE = 7;

    /** More than any peer accepts outstanding. */
    private static final int MOST_READS = 4096;

    private final Packet.Endpoint initiator;
    private final Conversation conversation;
    private final MpaStream there;
    private final MpaStream back;
    private boolean hasEnded;
    private boolean hasEndedBack;
    private final List<Read> reads = new ArrayList<>();

    /** An unanswered RDMA Read. Its responses do not name the source. */
    private record Read(CapturedEnd requester, Segment sink, Segment source) {
        boolean isAnsweredBy(CapturedEnd responder, Segment part) {
            return requester != responder && (sink.equals(part) || sink.has(part));
        }
    }

    /** @param initiator the first end of the conversation */
    IwarpConnection(Packet.Endpoint initiator, Conversation conversation) {
        this.initiator = initiator;
        this.conversation = conversation;
        there = new MpaStream(conversation.first(), this);
        back = new MpaStream(conversation.second(), this);
    }

    /** Processes a TCP segment of either end. */
    void take(Packet packet, Packet.Tcp tcp) {
        boolean isThere = packet.from().equals(initiator);
        MpaStream stream = isThere ? there : back;
        MpaStream other = isThere ? back : there;
        if (tcp.has(Packet.Tcp.ACK) && !tcp.has(Packet.Tcp.SYN)) {
            other.acknowledged(tcp.acknowledgment());
        }
        stream.take(packet, tcp, other);
        hasEnded |= tcp.has(Packet.Tcp.RST) || (isThere && tcp.has(Packet.Tcp.FIN));
        hasEndedBack |= tcp.has(Packet.Tcp.RST) || (!isThere && tcp.has(Packet.Tcp.FIN));
    }

    /** Whether neither end will send more. */
    boolean isClosed() {
        return hasEnded && hasEndedBack;
    }

    void end() {
        there.end();
        back.end();
        conversation.end();
    }

    /** Whether bytes are a DDP segment with an RDMAP operation. */
    static boolean isSegment(ByteBuffer bytes) {
        if (bytes.remaining() < TAGGED_HEADER) {
            return false;
        }
        boolean isTagged = isTagged(bytes);
        int opcode = opcode(bytes);
        return (isTagged || bytes.remaining() >= UNTAGGED_HEADER)
                && (bytes.get(0) & 0x3f) == 1
                && (bytes.get(1) & 0xc0) == 0x40
                && opcode <= TERMINATE
                && isTagged == (opcode == WRITE || opcode == READ_RESPONSE);
    }

    /** Whether a segment of this length, of which these bytes are known, certainly begins an untagged message. */
    static boolean beginsMessage(int length, ByteBuffer bytes) {
        if (!isSegment(bytes) || isTagged(bytes) || bytes.getInt(14) != 0) {
            return false;
        }
        int queue = bytes.getInt(6);
        return opcode(bytes) == READ_REQUEST
                ? queue == 1 && length == READ_REQUEST_LENGTH
                : isSend(bytes) && queue == 0 && RdmaMessage.isLikely(payload(bytes));
    }

    /** Processes a DDP segment that an end sends. */
    void take(CapturedEnd sender, ByteBuffer segment) {
        boolean isLast = (segment.get(0) & LAST) != 0;
        ByteBuffer payload = payload(segment);
        if (isTagged(segment)) {
            Segment target = new Segment(segment.getInt(2), payload.remaining(), segment.getLong(6));
            if (opcode(segment) == WRITE) {
                sender.write(target, payload, isLast);
            } else {
                readResponse(sender, target, payload, isLast);
            }
        } else if (isSend(segment)) {
            sender.send(segment.getInt(14) == 0, payload, isLast);
        } else if (opcode(segment) == READ_REQUEST && segment.remaining() >= READ_REQUEST_LENGTH) {
            readRequest(sender, payload);
        } else if (opcode(segment) == TERMINATE && payload.remaining() >= 2) {
            sender.remark(Timeline.text(
                    "ends the connection with Terminate: layer %d, type %d, code %d",
                    (payload.get(0) >> 4) & 0xf, payload.get(0) & 0xf, payload.get(1) & 0xff));
        }
    }

    private void readRequest(CapturedEnd requester, ByteBuffer request) {
        long length = Integer.toUnsignedLong(request.getInt(12));
        Segment source = new Segment(request.getInt(16), length, request.getLong(20));
        if (reads.size() == MOST_READS) {
            reads.remove(0);
        }
        reads.add(new Read(requester, new Segment(request.getInt(0), length, request.getLong(4)), source));
        requester.readRequest(source);
    }

    private void readResponse(CapturedEnd responder, Segment part, ByteBuffer data, boolean isLast) {
        Optional<Read> answered = reads.stream()
                .filter(read -> read.isAnsweredBy(responder, part))
                .findFirst();
        if (answered.isEmpty()) {
            responder.loss("an RDMA Read Response answers no request in the capture");
            return;
        }
        Read read = answered.get();
        long offset = read.source().offset() + (part.offset() - read.sink().offset());
        responder.readResponse(new Segment(read.source().handle(), part.length(), offset), data);
        if (isLast) {
            reads.remove(read);
        }
    }

    private static boolean isTagged(ByteBuffer segment) {
        return (segment.get(0) & TAGGED) != 0;
    }

    private static int opcode(ByteBuffer segment) {
        return segment.get(1) & 0xf;
    }

    private static boolean isSend(ByteBuffer segment) {
        return opcode(segment) >= SEND && opcode(segment) <= SEND_WITH_SOLICITED_EVENT_AND_INVALIDATE;
    }

    private static ByteBuffer payload(ByteBuffer segment) {
        int header = isTagged(segment) ? TAGGED_HEADER : UNTAGGED_HEADER;
        return segment.slice(header, segment.remaining() - header);
    }
}
