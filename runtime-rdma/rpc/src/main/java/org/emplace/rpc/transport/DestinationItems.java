// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rpc.Destination;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/**
 * The eligible results of a reply without Write chunks: each is copied from the stream into its destination. A
 * transport with chunks has its own {@link EligibleItems}, and uses {@link #copy} for inline results.
 */
public final class DestinationItems implements EligibleItems {
    private final List<Destination> destinations;
    private final CallCounters counters;
    private int items;

    /**
     * Creates the items for the results of one reply.
     *
     * @param destinations in the order of the binding; for results beyond the list, memory is allocated
     */
    public DestinationItems(List<Destination> destinations, CallCounters counters) {
        this.destinations = destinations;
        this.counters = counters;
    }

    @Override
    public @Nullable Payload chunkAt(long position, long length) {
        items++;
        return null;
    }

    @Override
    public Payload inline(ByteBuffer bytes) throws XdrException {
        return copy(destinations, items - 1, bytes, counters);
    }

    /**
     * Copies an eligible result into its destination.
     *
     * @param destinations those of the call, in the order of the binding
     * @param index the index of the result among the eligible results in the reply, from 0
     * @param bytes the bytes of the result; the position is not changed
     * @return a view of the destination
     * @throws XdrException if the destination is shorter
     */
    public static Payload copy(List<Destination> destinations, int index, ByteBuffer bytes, CallCounters counters)
            throws XdrException {
        int length = bytes.remaining();
        Destination destination = index < destinations.size() ? destinations.get(index) : Destination.allocate();
        if (destination.capacity() < length) {
            throw new XdrException("eligible result " + index + " has " + length
                    + " bytes, but its destination has room for only " + destination.capacity());
        }
        Payload filled = fill(destination, bytes, bytes.position());
        counters.copy(length);
        return filled;
    }

    /** Copies as many of the bytes from the index {@code from} on as there is room for. */
    private static Payload fill(Destination destination, ByteBuffer bytes, int from) {
        if (destination instanceof Destination.InPieces several) {
            return fillPieces(several, bytes, from);
        }
        int length = (int) Math.min(destination.capacity(), bytes.limit() - from);
        if (destination instanceof Destination.InRegistered in) {
            // First, because this fails if the buffer is closed. Its memory may have another use then.
            Payload filled = in.buffer().payload(in.offset(), length);
            in.buffer().buffer().put(in.offset(), bytes, from, length);
            return filled;
        }
        ByteBuffer target = destination instanceof Destination.InBuffer in
                ? in.buffer().slice(in.buffer().position(), length)
                : ByteBuffer.allocate(length);
        return Payload.of(target.put(0, bytes, from, length));
    }

    private static Payload fillPieces(Destination.InPieces destination, ByteBuffer bytes, int from) {
        List<Payload> filled = new ArrayList<>(destination.pieces().size());
        int next = from;
        for (Destination piece : destination.pieces()) {
            Payload part = fill(piece, bytes, next);
            filled.add(part);
            next += (int) part.length();
        }
        return Payload.of(filled);
    }
}
