// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The requests of one side of a reliable connection, in order of packet sequence numbers: each packet once, however often it was sent. */
final class RoceFlow {
    private static final int NUMBERS = 1 << 24;
    private static final int SMALLEST_PACKET = 256;
    private static final int MOST_WAITING = 256;
    private static final int MOST_READS = 4096;

    private final RdmaEvent.Side side;
    private final RdmaEvent.Sink sink;
    /** Packets that came too early, by number. */
    private final Map<Integer, BthPacket> waiting = new LinkedHashMap<>();

    private final List<Read> reads = new ArrayList<>();
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private boolean hasBegun;
    private int next;
    /** How far beyond {@link #next} the next number may be, because an RDMA Read uses as many numbers as its answer has packets. */
    private int slack;

    private boolean isBrokenMessage = true;
    private int handle;
    private long offset;

    /** An RDMA Read that is not fully answered. */
    private static final class Read {
        private final BthPacket request;
        private final int handle;
        private final long offset;
        private final long length;
        private int packetSize;

        Read(BthPacket request) {
            this.request = request;
            offset = request.body().getLong(0);
            handle = request.body().getInt(8);
            length = Integer.toUnsignedLong(request.body().getInt(12));
        }
    }

    RoceFlow(RdmaEvent.Side side, RdmaEvent.Sink sink) {
        this.side = side;
        this.sink = sink;
    }

    /** Whether this side has just used a number. */
    boolean hasSent(int number) {
        return hasBegun && ahead(number, next) < 0 && ahead(number, next) > -NUMBERS / 4;
    }

    /** Takes a request. */
    void take(BthPacket packet) {
        if (!hasBegun) {
            hasBegun = true;
            next = packet.number();
        }
        int ahead = ahead(packet.number(), next);
        if (ahead > slack) {
            waiting.putIfAbsent(packet.number(), packet);
            if (waiting.size() > MOST_WAITING) {
                skipGap(packet.nanoseconds());
            }
        } else if (ahead >= 0) {
            deliver(packet);
        } else if (packet.opcode() == BthPacket.READ_REQUEST
                && packet.missing() == 0
                && packet.body().remaining() >= 16) {
            // The rest of a Read is requested again.
            remember(packet);
        }
        deliverWaiting();
    }

    /** Takes an answer of the other side. */
    void answered(BthPacket packet, RdmaEvent.Side answering) {
        while (!waiting.isEmpty() && ahead(packet.number(), first()) >= 0) {
            skipGap(packet.nanoseconds());
            deliverWaiting();
        }
        if (packet.opcode() <= BthPacket.READ_RESPONSE_ONLY) {
            response(packet, answering);
        } else if (packet.opcode() == BthPacket.ACKNOWLEDGE && packet.body().remaining() >= 4) {
            int syndrome = Byte.toUnsignedInt(packet.body().get(0));
            if (syndrome >> 5 == 3 && (syndrome & 0x1f) != 0) {
                sink.happened(
                        packet.nanoseconds(),
                        answering,
                        new RdmaEvent.Remark("refuses a packet: NAK code " + (syndrome & 0x1f)
                                + " (1 invalid request, 2 remote access error, 3 remote operational error)"));
            }
        }
    }

    void end(long nanoseconds) {
        while (!waiting.isEmpty()) {
            skipGap(nanoseconds);
            deliverWaiting();
        }
    }

    /** How far a number is ahead of another, modulo their range. */
    private static int ahead(int number, int of) {
        return ((number - of) << 8) >> 8;
    }

    private int first() {
        return waiting.keySet().stream().min((a, b) -> ahead(a, b)).orElseThrow();
    }

    private void skipGap(long nanoseconds) {
        int first = first();
        int missing = ahead(first, next);
        sink.happened(nanoseconds, side, new RdmaEvent.Loss("%,d packets are not in the capture".formatted(missing)));
        isBrokenMessage = true;
        next = first;
        slack = 0;
    }

    private void deliverWaiting() {
        boolean isProgress = true;
        while (isProgress && !waiting.isEmpty()) {
            int first = first();
            isProgress = ahead(first, next) <= slack;
            if (isProgress) {
                BthPacket packet = waiting.remove(first);
                if (packet != null && ahead(first, next) >= 0) {
                    deliver(packet);
                }
            }
        }
    }

    private void deliver(BthPacket packet) {
        next = (packet.number() + 1) & (NUMBERS - 1);
        slack = 0;
        if (packet.opcode() == BthPacket.READ_REQUEST) {
            readRequest(packet);
        } else if (packet.isSend()) {
            send(packet);
        } else if (packet.isWrite()) {
            write(packet);
        }
    }

    private void readRequest(BthPacket packet) {
        if (packet.body().remaining() < 16) {
            sink.happened(packet.nanoseconds(), side, new RdmaEvent.Loss("an RDMA Read Request is cut"));
            return;
        }
        Read read = remember(packet);
        slack = (int) (Math.max(read.length - 1, 0) / SMALLEST_PACKET);
        sink.happened(packet.nanoseconds(), side, new RdmaEvent.ReadRequest(read.handle, read.offset, read.length));
    }

    private Read remember(BthPacket packet) {
        reads.removeIf(read -> read.request.number() == packet.number());
        if (reads.size() == MOST_READS) {
            reads.remove(0);
        }
        Read read = new Read(packet);
        reads.add(read);
        return read;
    }

    private void response(BthPacket packet, RdmaEvent.Side answering) {
        for (Iterator<Read> each = reads.iterator(); each.hasNext(); ) {
            Read read = each.next();
            int index = ahead(packet.number(), read.request.number());
            if (index < 0 || index > read.length / SMALLEST_PACKET) {
                continue;
            }
            int size = packet.data().remaining() + packet.missing();
            if (packet.opcode() == BthPacket.READ_RESPONSE_FIRST || packet.opcode() == BthPacket.READ_RESPONSE_MIDDLE) {
                read.packetSize = size;
            }
            if (index > 0 && (read.packetSize == 0 || (long) index * read.packetSize >= read.length)) {
                continue;
            }
            long behind = (long) index * read.packetSize;
            if (behind + size >= read.length) {
                each.remove();
            }
            sink.happened(
                    packet.nanoseconds(),
                    answering,
                    new RdmaEvent.ReadResponse(read.handle, read.offset + behind, size, packet.data()));
            return;
        }
        sink.happened(
                packet.nanoseconds(),
                answering,
                new RdmaEvent.Loss("an RDMA Read Response answers no request in the capture"));
    }

    private void write(BthPacket packet) {
        if (packet.isFirst()) {
            if (packet.body().remaining() < 16) {
                sink.happened(packet.nanoseconds(), side, new RdmaEvent.Loss("an RDMA Write is cut"));
                isBrokenMessage = true;
                return;
            }
            isBrokenMessage = false;
            offset = packet.body().getLong(0);
            handle = packet.body().getInt(8);
        }
        if (isBrokenMessage) {
            return;
        }
        ByteBuffer data = packet.data();
        int length = data.remaining() + packet.missing();
        sink.happened(packet.nanoseconds(), side, new RdmaEvent.Write(handle, offset, length, data, packet.isLast()));
        offset += length;
    }

    private void send(BthPacket packet) {
        if (packet.isFirst()) {
            message.reset();
            isBrokenMessage = false;
        }
        isBrokenMessage |= packet.missing() > 0;
        byte[] bytes = new byte[packet.data().remaining()];
        packet.data().get(bytes);
        message.writeBytes(bytes);
        if (packet.isLast()) {
            sink.happened(
                    packet.nanoseconds(),
                    side,
                    isBrokenMessage
                            ? new RdmaEvent.Loss("part of a message is not in the capture")
                            : new RdmaEvent.Send(ByteBuffer.wrap(message.toByteArray())));
            message.reset();
        }
    }
}
