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
        Payload filled = fill(destination, bytes.duplicate());
        counters.copy(length);
        return filled;
    }

    /** Copies as many of {@code bytes} as there is room for. */
    private static Payload fill(Destination destination, ByteBuffer bytes) {
        if (destination instanceof Destination.InPieces several) {
            List<Payload> filled = new ArrayList<>(several.pieces().size());
            for (Destination piece : several.pieces()) {
                filled.add(fill(piece, bytes));
            }
            return Payload.of(filled);
        }
        ByteBuffer target = target(destination, bytes.remaining());
        int length = Math.min(target.remaining(), bytes.remaining());
        ByteBuffer filled = target.slice(target.position(), length);
        filled.put(0, bytes, bytes.position(), length);
        bytes.position(bytes.position() + length);
        return Payload.of(filled);
    }

    private static ByteBuffer target(Destination destination, int length) {
        if (destination instanceof Destination.InBuffer in) {
            return in.buffer();
        } else if (destination instanceof Destination.InRegistered in) {
            return in.buffer().buffer().limit(in.offset() + in.length()).position(in.offset());
        }
        return ByteBuffer.allocate(length);
    }
}
