// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.Map;
import java.util.TreeMap;

/**
 * Puts the packets of one direction in order of their sequence numbers. A packet after a gap waits until the gap is filled, or is known to be missing from the
 * capture.
 */
final class ReorderBuffer<P> {
    private static final int MOST_WAITING = 512;

    private final int unusedBits;
    private final Receiver<P> receiver;
    private final TreeMap<Long, P> waiting = new TreeMap<>();
    private boolean hasBegun;
    private long begin;
    /** The position after all packets delivered. The low bits of a position are a sequence number. */
    private long next;
    /** How far beyond {@link #next} the next packet may be without a gap. */
    private long slack;

    interface Receiver<P> {
        /**
         * Receives a packet, which may be a retransmission.
         *
         * @param known how many of its sequence numbers were received before
         * @return how many sequence numbers it has
         */
        long take(P packet, long known);

        /** Is told that this number of sequence numbers before a packet is missing, or more. */
        void lost(long count, P next);

        /** Is told that the other side has acknowledged packets that the capture lacks so far. */
        void notSeen();

        /** Of two packets with the same number, the one that has more of what was sent. */
        default P fuller(P one, P other) {
            return one;
        }
    }

    /** @param bits the width of a sequence number */
    ReorderBuffer(int bits, Receiver<P> receiver) {
        this.unusedBits = Integer.SIZE - bits;
        this.receiver = receiver;
    }

    boolean hasBegun() {
        return hasBegun;
    }

    /** Begins, or begins again, with the number of the first packet. */
    void begin(int number) {
        hasBegun = true;
        begin = number;
        next = number;
    }

    /** Adds a packet. If it is the first, the direction begins with it. */
    void take(int number, P packet) {
        if (!hasBegun) {
            begin(number);
        }
        long at = position(number);
        if (at > next + slack) {
            waiting.merge(at, packet, receiver::fuller);
            if (waiting.size() > MOST_WAITING) {
                skipGap();
            }
        } else {
            deliver(at, packet);
        }
        deliverWaiting();
    }

    /** Lets the number after the packet just delivered be higher by {@code slack} without a gap. */
    void allow(long slack) {
        this.slack = slack;
    }

    /** Processes an acknowledgment of all packets before a number: those that the capture lacks will not come. */
    void acknowledged(int number) {
        while (!waiting.isEmpty() && position(number) > waiting.firstKey()) {
            skipGap();
            deliverWaiting();
        }
        if (hasBegun && position(number) > next + slack) {
            receiver.notSeen();
        }
    }

    /** Delivers the waiting packets, although packets before them are missing. */
    void end() {
        while (!waiting.isEmpty()) {
            skipGap();
            deliverWaiting();
        }
    }

    /** Extends a sequence number to a position, which does not wrap around. */
    long position(int number) {
        return next + (((number - (int) next) << unusedBits) >> unusedBits);
    }

    /** Whether a number has been used, or may have been. */
    boolean hasTaken(int number) {
        long at = position(number);
        return hasBegun && at >= begin && at < next + slack;
    }

    private void skipGap() {
        Map.Entry<Long, P> first = waiting.firstEntry();
        receiver.lost(first.getKey() - next - slack, first.getValue());
        next = first.getKey();
        slack = 0;
    }

    private void deliverWaiting() {
        while (!waiting.isEmpty() && waiting.firstKey() <= next + slack) {
            Map.Entry<Long, P> first = waiting.pollFirstEntry();
            deliver(first.getKey(), first.getValue());
        }
    }

    private void deliver(long at, P packet) {
        long known = Math.max(0, next - at);
        if (known == 0) {
            slack = 0;
        }
        next = Math.max(next, at + receiver.take(packet, known));
    }
}
