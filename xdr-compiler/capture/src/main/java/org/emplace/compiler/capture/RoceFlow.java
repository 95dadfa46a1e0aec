// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.emplace.compiler.capture.RdmaMessage.Segment;

/** The requests of one side of a reliable connection over the InfiniBand transport, each once even if it was retransmitted, and the other side's responses. */
final class RoceFlow implements ReorderBuffer.Receiver<BthPacket> {
    private static final int SEQUENCE_NUMBER_BITS = 24;
    private static final int SMALLEST_MTU = 256;
    private static final int MOST_READS = 4096;
    private static final int NEGATIVE = 3;

    private final CapturedEnd requester;
    private final CapturedEnd responder;
    private final ReorderBuffer<BthPacket> requests = new ReorderBuffer<>(SEQUENCE_NUMBER_BITS, this);
    /** The RDMA Reads without a complete response, by the positions of their requests. */
    private final TreeMap<Long, Segment> reads = new TreeMap<>();
    /** The target of the rest of an RDMA Write; empty if its beginning was not captured. */
    private Optional<Segment> target = Optional.empty();
    /** How many bytes each packet of a response except the last carries; 0 if unknown so far. */
    private int packetSize;

    RoceFlow(CapturedEnd requester, CapturedEnd responder) {
        this.requester = requester;
        this.responder = responder;
    }

    void begin(int number) {
        requests.begin(number);
    }

    boolean hasSent(int number) {
        return requests.hasTaken(number);
    }

    void take(BthPacket packet) {
        requests.take(packet.number(), packet);
    }

    void answered(BthPacket packet) {
        requests.acknowledged(packet.number() + 1);
        responder.at(packet.nanoseconds());
        if (packet.opcode() <= BthPacket.READ_RESPONSE_ONLY) {
            response(packet);
        } else if (packet.opcode() == BthPacket.ACKNOWLEDGE && packet.body().hasRemaining()) {
            int syndrome = Byte.toUnsignedInt(packet.body().get(0));
            int code = syndrome & 0x1f;
            if (syndrome >> 5 == NEGATIVE && code != 0) {
                responder.remark("refuses a packet: NAK code " + code
                        + " (1 invalid request, 2 remote access error, 3 remote operational error)");
            }
        }
    }

    void end() {
        requests.end();
    }

    @Override
    public long take(BthPacket packet, long known) {
        requester.at(packet.nanoseconds());
        if (packet.opcode() == BthPacket.READ_REQUEST) {
            readRequest(packet, known > 0);
        } else if (known == 0 && packet.isSend()) {
            send(packet);
        } else if (known == 0 && packet.isWrite()) {
            write(packet);
        }
        return 1;
    }

    @Override
    public void lost(long count, BthPacket next) {
        requester.at(next.nanoseconds());
        requester.gap(count, "packet");
        target = Optional.empty();
    }

    @Override
    public void notSeen() {
        requester.lose();
    }

    /** @param isAgain whether the rest of an RDMA Read is requested again */
    private void readRequest(BthPacket packet, boolean isAgain) {
        Optional<Segment> source = packet.target();
        source.ifPresent(each -> reads.put(requests.position(packet.number()), each));
        if (reads.size() > MOST_READS) {
            reads.pollFirstEntry();
        }
        if (!isAgain) {
            // A Read uses as many numbers as its response has packets.
            int size = packetSize == 0 ? SMALLEST_MTU : packetSize;
            requests.allow(source.map(each -> (each.length() - 1) / size).orElse(0L));
            source.ifPresentOrElse(requester::readRequest, () -> requester.loss("an RDMA Read Request is cut"));
        }
    }

    private void response(BthPacket packet) {
        long position = requests.position(packet.number());
        ByteBuffer data = packet.data();
        int size = data.remaining() + packet.missing();
        if (packet.opcode() == BthPacket.READ_RESPONSE_FIRST || packet.opcode() == BthPacket.READ_RESPONSE_MIDDLE) {
            packetSize = size;
        }
        Map.Entry<Long, Segment> read = reads.floorEntry(position);
        long index = read == null ? 0 : position - read.getKey();
        long behind = index * packetSize;
        if (read == null
                || (index > 0 && (packetSize == 0 || behind >= read.getValue().length()))) {
            responder.loss("an RDMA Read Response answers no request in the capture");
            return;
        }
        Segment source = read.getValue();
        if (behind + size >= source.length()) {
            reads.remove(read.getKey());
        }
        responder.readResponse(new Segment(source.handle(), size, source.offset() + behind), data);
    }

    private void send(BthPacket packet) {
        boolean isCut = packet.missing() > 0;
        if (isCut) {
            requester.loseMessage();
        }
        requester.send(packet.isFirst() && !isCut, packet.data(), packet.isLast());
    }

    private void write(BthPacket packet) {
        if (packet.isFirst()) {
            target = packet.target();
            if (target.isEmpty()) {
                requester.loss("an RDMA Write is cut");
            }
        }
        target.ifPresent(at -> {
            int length = packet.data().remaining() + packet.missing();
            requester.write(new Segment(at.handle(), length, at.offset()), packet.data(), packet.isLast());
            target = Optional.of(new Segment(at.handle(), at.length(), at.offset() + length));
        });
    }
}
