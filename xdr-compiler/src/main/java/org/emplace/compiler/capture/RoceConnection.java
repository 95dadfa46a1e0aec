// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.Optional;

/** The two queue pairs of a reliable connection over the InfiniBand transport. */
final class RoceConnection {
    private final End first;
    private final End second;
    private final RoceFlow there;
    private final RoceFlow back;

    /** One side; its queue pair number is unknown until a packet to it or the set-up is seen. */
    static final class End {
        private final ByteBuffer address;
        private Optional<Integer> queuePair;

        End(ByteBuffer address, Optional<Integer> queuePair) {
            this.address = address;
            this.queuePair = queuePair;
        }

        ByteBuffer address() {
            return address;
        }

        boolean isAt(ByteBuffer where, int number) {
            return address.equals(where) && queuePair.equals(Optional.of(number));
        }

        @Override
        public String toString() {
            return Endpoint.text(address) + " QP "
                    + queuePair.map("0x%x"::formatted).orElse("unknown");
        }
    }

    RoceConnection(End first, End second, RdmaEvent.Sink sink) {
        this.first = first;
        this.second = second;
        there = new RoceFlow(RdmaEvent.Side.FIRST, sink);
        back = new RoceFlow(RdmaEvent.Side.SECOND, sink);
    }

    End first() {
        return first;
    }

    End second() {
        return second;
    }

    /** Whether a packet to this queue pair belongs to this connection. */
    boolean has(BthPacket packet) {
        return second.isAt(packet.to(), packet.queuePair()) || first.isAt(packet.to(), packet.queuePair());
    }

    /** Whether a packet may be the first seen to the end whose number is unknown; an answer has the number of its request. */
    boolean mayHave(BthPacket packet) {
        return first.queuePair.isEmpty()
                && first.address.equals(packet.to())
                && second.address.equals(packet.from())
                && (!packet.isAnswer() || there.hasSent(packet.number()));
    }

    /** Accepts it as such. */
    void join(BthPacket packet) {
        first.queuePair = Optional.of(packet.queuePair());
    }

    void take(BthPacket packet) {
        boolean isThere = second.isAt(packet.to(), packet.queuePair());
        RoceFlow flow = isThere ? there : back;
        RoceFlow other = isThere ? back : there;
        if (packet.isAnswer()) {
            other.answered(packet, isThere ? RdmaEvent.Side.FIRST : RdmaEvent.Side.SECOND);
        } else {
            flow.take(packet);
        }
    }

    void end(long nanoseconds) {
        there.end(nanoseconds);
        back.end(nanoseconds);
    }
}
