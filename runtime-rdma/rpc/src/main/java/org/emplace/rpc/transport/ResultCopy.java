// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rpc.Destination;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;

/** Copies a result into its destination. */
public final class ResultCopy {
    private ResultCopy() {}

    /**
     * Copies a result that is in one piece; see {@link #into(Destination, List, CallCounters)}.
     *
     * @param bytes between position and limit, which do not change
     */
    public static Payload into(Destination destination, ByteBuffer bytes, CallCounters counters) throws XdrException {
        return into(destination, List.of(bytes), counters);
    }

    /**
     * Copies a result into its destination.
     *
     * @param bytes the pieces of the result, each between position and limit, which do not change
     * @return a view of the destination
     * @throws XdrException if the destination is shorter
     */
    public static Payload into(Destination destination, List<ByteBuffer> bytes, CallCounters counters)
            throws XdrException {
        long length = 0;
        for (int i = 0; i < bytes.size(); i++) {
            length += bytes.get(i).remaining();
        }
        if (destination.capacity() < length) {
            throw tooSmall(length, destination.capacity());
        }
        List<ByteBuffer> targets = new ArrayList<>(1);
        Payload filled = view(destination, (int) length, targets);
        copy(bytes, targets);
        counters.copy(length);
        return filled;
    }

    /** Creates the exception for a destination that is too small. */
    public static XdrException tooSmall(long length, long capacity) {
        return new XdrException(
                "an eligible result has " + length + " bytes, but its destination has room for only " + capacity);
    }

    /** Returns a payload of the first bytes of a destination. Adds the memory of these bytes to {@code memory}. */
    private static Payload view(Destination destination, int length, List<ByteBuffer> memory) {
        if (destination instanceof Destination.InPieces several) {
            List<Payload> parts = new ArrayList<>(several.pieces().size());
            int left = length;
            for (Destination piece : several.pieces()) {
                int here = (int) Math.min(left, piece.capacity());
                parts.add(view(piece, here, memory));
                left -= here;
            }
            return Payload.of(parts);
        }
        if (destination instanceof Destination.InRegistered in) {
            // First, because this fails if the buffer is closed. Its memory may have another use then.
            Payload view = in.buffer().payload(in.offset(), length);
            memory.add(in.buffer().buffer().slice(in.offset(), length));
            return view;
        }
        ByteBuffer target = destination instanceof Destination.InBuffer in
                ? in.buffer().slice(in.buffer().position(), length)
                : ByteBuffer.allocate(length);
        memory.add(target);
        return Payload.of(target);
    }

    private static void copy(List<ByteBuffer> from, List<ByteBuffer> to) {
        int target = 0;
        int at = 0;
        for (ByteBuffer source : from) {
            int next = source.position();
            while (next < source.limit()) {
                int bytes = Math.min(source.limit() - next, to.get(target).capacity() - at);
                to.get(target).put(at, source, next, bytes);
                next += bytes;
                at += bytes;
                if (at == to.get(target).capacity()) {
                    target++;
                    at = 0;
                }
            }
        }
    }
}
