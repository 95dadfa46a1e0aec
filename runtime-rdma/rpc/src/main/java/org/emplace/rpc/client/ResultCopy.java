// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.client;

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
     * Copies a result that is in one piece.
     *
     * @param stream with its position, which does not change, at the result
     * @return a view of the destination
     * @throws XdrException if the destination is shorter
     */
    public static Payload into(Destination destination, ByteBuffer stream, int length, CallCounters counters)
            throws XdrException {
        requireRoom(destination, length);
        Payload filled = fill(destination, length, new Source(List.of(stream)));
        counters.copy(length);
        return filled;
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
        requireRoom(destination, length);
        Payload filled = fill(destination, (int) length, new Source(bytes));
        counters.copy(length);
        return filled;
    }

    private static void requireRoom(Destination destination, long length) throws XdrException {
        if (destination.capacity() < length) {
            throw tooSmall(length, destination.capacity());
        }
    }

    /** Creates the exception for a destination that is too small. */
    public static XdrException tooSmall(long length, long capacity) {
        return new XdrException(
                "an eligible result has " + length + " bytes, but its destination has room for only " + capacity);
    }

    /** Fills the first bytes of a destination. Returns a payload of these bytes. */
    private static Payload fill(Destination destination, int length, Source from) {
        if (destination instanceof Destination.InPieces several) {
            List<Payload> parts = new ArrayList<>(several.pieces().size());
            int left = length;
            for (Destination piece : several.pieces()) {
                int here = (int) Math.min(left, piece.capacity());
                parts.add(fill(piece, here, from));
                left -= here;
            }
            return Payload.of(parts);
        }
        if (destination instanceof Destination.InRegistered in) {
            // First, because this fails if the buffer is closed. Its memory may have another use then.
            Payload filled = in.buffer().payload(in.offset(), length);
            from.copyTo(in.buffer().buffer(), in.offset(), length);
            return filled;
        }
        ByteBuffer target = destination instanceof Destination.InBuffer in
                ? in.buffer().slice(0, length)
                : ByteBuffer.allocate(length);
        from.copyTo(target, 0, length);
        return Payload.of(target);
    }

    /** Reads the pieces of a result one after the other. */
    private static final class Source {
        private final List<ByteBuffer> pieces;
        private int piece;
        /** How much of the piece has been read. */
        private int read;

        Source(List<ByteBuffer> pieces) {
            this.pieces = pieces;
        }

        void copyTo(ByteBuffer target, int index, int length) {
            int done = 0;
            while (done < length) {
                ByteBuffer from = pieces.get(piece);
                int bytes = Math.min(length - done, from.remaining() - read);
                target.put(index + done, from, from.position() + read, bytes);
                done += bytes;
                read += bytes;
                if (read == from.remaining()) {
                    piece++;
                    read = 0;
                }
            }
        }
    }
}
