// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/** Puts one direction of a TCP connection in order. A segment after a gap waits until the gap is filled, or is known to be missing from the capture. */
final class TcpDirection {
    private static final int MOST_WAITING = 512;

    private final IwarpStream stream;
    private final TreeMap<Long, Packet> waiting = new TreeMap<>();
    /** Counts from the first byte seen; the low 32 bits differ from sequence numbers by a constant. */
    private long next;

    private int base;
    private boolean hasBegun;

    TcpDirection(IwarpStream stream) {
        this.stream = stream;
    }

    /** Takes a segment with a SYN. */
    void begin(int sequence) {
        hasBegun = true;
        base = sequence + 1;
        next = 0;
    }

    /** Takes any other segment. */
    void take(Packet packet, Packet.Tcp tcp) {
        int length = packet.payload().remaining() + packet.missing();
        if (length == 0) {
            return;
        }
        if (!hasBegun) {
            begin(tcp.sequence() - 1);
            stream.beginInTheMiddle();
        }
        long at = offset(tcp.sequence());
        if (at > next) {
            waiting.putIfAbsent(at, packet);
            if (waiting.size() > MOST_WAITING) {
                skipGap(packet.nanoseconds());
            }
        } else if (at + length > next) {
            deliver(at, packet);
        }
        deliverWaiting();
    }

    /** Takes an acknowledgement: acknowledged bytes that the capture lacks will not come. */
    void acknowledged(int acknowledgement, long nanoseconds) {
        while (!waiting.isEmpty() && offset(acknowledgement) > waiting.firstKey()) {
            skipGap(nanoseconds);
            deliverWaiting();
        }
    }

    /** Delivers waiting segments although bytes before them are missing. */
    void end(long nanoseconds) {
        while (!waiting.isEmpty()) {
            skipGap(nanoseconds);
            deliverWaiting();
        }
    }

    private long offset(int sequence) {
        return next + (sequence - base - (int) next);
    }

    private void skipGap(long nanoseconds) {
        long missing = waiting.firstKey() - next;
        next += missing;
        stream.lost(missing, nanoseconds);
    }

    private void deliverWaiting() {
        while (!waiting.isEmpty() && waiting.firstKey() <= next) {
            Map.Entry<Long, Packet> first = waiting.pollFirstEntry();
            Packet packet = first.getValue();
            if (first.getKey() + packet.payload().remaining() + packet.missing() > next) {
                deliver(first.getKey(), packet);
            }
        }
    }

    private void deliver(long at, Packet packet) {
        ByteBuffer payload = packet.payload().duplicate();
        int known = (int) Math.min(next - at, payload.remaining());
        payload.position(payload.position() + known);
        next += payload.remaining();
        stream.take(payload, packet.nanoseconds());
        long missing = at + packet.payload().remaining() + packet.missing() - next;
        if (missing > 0) {
            next += missing;
            stream.lost(missing, packet.nanoseconds());
        }
    }
}
