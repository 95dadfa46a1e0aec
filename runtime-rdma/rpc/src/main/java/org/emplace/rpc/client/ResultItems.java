// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.client;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rpc.Destination;
import org.emplace.rpc.ResultPlaces;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/**
 * The eligible results of one reply. The n-th one that is decoded is in the n-th Write chunk or, if there is none, in
 * the message. If its number does not tell which element it belongs to, it is moved to that element's destination when
 * all results have been decoded. Used by the thread that decodes.
 */
public abstract class ResultItems<R> implements EligibleItems {
    private int items;

    /** The payloads to be moved, by the number of the result; null for other results. Those in chunks come first. */
    private List<@Nullable ResultPayload> payloads = List.of();

    /** Creates the items for the results of one reply. */
    protected ResultItems() {}

    /** Where the results go. */
    protected abstract ResultPlaces<R> places();

    /** Counts what is copied and moved. */
    protected abstract CallCounters counters();

    /** The memory of a Write chunk that holds a result. */
    public interface Landed {

        /** The number of bytes that it holds. */
        int length();

        /** The pieces of memory that hold the bytes. */
        List<ByteBuffer> bytes();

        /**
         * Returns the result in the destination for which the chunk was offered. Copies it there if the chunk's memory is
         * not the destination's.
         *
         * @throws XdrException if the destination is too small
         */
        Payload inPlace() throws XdrException;
    }

    /**
     * Returns the chunk that holds a result; null if the result is in the message.
     *
     * @param n the number of the result among the eligible results in the reply, from 0
     * @param length its length in bytes, or {@link EligibleItems#UNKNOWN_LENGTH}
     * @throws XdrException if the chunk has another number of bytes
     */
    protected @Nullable Landed landed(int n, long length) throws XdrException {
        return null;
    }

    @Override
    public final @Nullable Payload chunkAt(long position, long length) throws XdrException {
        Landed chunk = landed(items++, length);
        if (chunk == null) {
            return null;
        } else if (length == UNKNOWN_LENGTH) {
            // Decoded at once.
            return Payload.of(chunk.bytes().toArray(new ByteBuffer[0]));
        }
        if (!places().isFixed()) {
            return later(new ResultPayload(chunk));
        }
        return hasRoom(items - 1, chunk)
                ? chunk.inPlace()
                : moved(places().get(items - 1).destination(), chunk.length(), chunk.bytes());
    }

    @Override
    public final Payload inline(ByteBuffer stream, int length) throws XdrException {
        int n = items - 1;
        if (places().isFixed()) {
            Destination destination = n < places().count() ? places().get(n).destination() : Destination.allocate();
            return ResultCopy.into(destination, stream, length, counters());
        }
        return later(new ResultPayload(stream.slice(stream.position(), length)));
    }

    private Payload later(ResultPayload payload) {
        if (payloads.isEmpty()) {
            payloads = new ArrayList<>();
        }
        while (payloads.size() < items - 1) {
            payloads.add(null);
        }
        payloads.add(payload);
        return payload;
    }

    /**
     * Moves the payloads of decoded results to their destinations. From the last one to the first: what has landed in the
     * destination of another element usually belongs to an element after that one.
     *
     * @throws XdrException if a destination is too small
     */
    final void settle(R results) throws XdrException {
        if (payloads.isEmpty()) {
            return;
        }
        places().visit(results, (item, element, payload) -> {
            if (payload instanceof ResultPayload decoded) {
                decoded.belongsTo(item, element);
            }
        });
        int inChunks = inChunks();
        int place = Integer.MAX_VALUE;
        for (int i = payloads.size() - 1; i >= 0; i--) {
            ResultPayload payload = payloads.get(i);
            // Nothing refers to an empty array's payload.
            if (payload != null && payload.item() >= 0) {
                Destination named = places().named(payload.item(), payload.element());
                int own = named == null ? -1 : places().indexOf(payload.item(), payload.element(), inChunks, place - 1);
                settle(i, payload, named, own);
                place = own < 0 ? place : own;
            }
        }
    }

    /** One more than the number of the last payload in a chunk. Nothing has landed in the memory of later places. */
    private int inChunks() {
        for (int i = payloads.size() - 1; i >= 0; i--) {
            ResultPayload payload = payloads.get(i);
            if (payload != null && payload.chunk() != null) {
                return i + 1;
            }
        }
        return 0;
    }

    /** @param own the place with a chunk that is the memory of this payload's element; negative if there is none */
    private void settle(int number, ResultPayload payload, @Nullable Destination named, int own) throws XdrException {
        Landed chunk = payload.chunk();
        if (chunk != null
                && hasRoom(number, chunk)
                && (named == null ? places().get(number).isAllocated() : own == number)) {
            payload.settle(chunk.inPlace());
            return;
        }
        if (own >= 0 && own != number) {
            clear(own);
        }
        Destination target = named == null ? Destination.allocate() : named;
        payload.settle(
                chunk == null
                        ? ResultCopy.into(target, payload.bytes(), counters())
                        : moved(target, payload.length(), payload.bytes()));
    }

    private Payload moved(Destination target, long length, List<ByteBuffer> bytes) throws XdrException {
        counters().moved(length);
        return ResultCopy.into(target, bytes, counters());
    }

    /** Whether all of a result is in the memory of its place's destination, and nothing behind it. */
    private boolean hasRoom(int number, Landed chunk) {
        return chunk.length() <= places().get(number).room();
    }

    /**
     * Saves what has landed in a destination that is about to be filled. There is something if an array within an array,
     * or a list with members behind its link, has another number of elements than the call assumed, if something follows
     * a list that has more elements than destinations, or if it follows a fixed array that has places for some of its
     * elements only.
     */
    private void clear(int place) {
        ResultPayload landed = place < payloads.size() ? payloads.get(place) : null;
        if (landed != null && landed.chunk() != null && !landed.isSettled()) {
            landed.save();
            counters().copy(landed.length());
        }
    }
}
