// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
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

    /**
     * A payload in results that are being decoded: only when all have been decoded is it known which element it belongs to.
     * Then it is a view of that element's destination. Safe for use by several threads from then on, because it is published
     * with the results.
     */
    static final class ResultPayload implements Payload {
        private final @Nullable Landed chunk;
        private List<ByteBuffer> bytes;
        private final long length;
        private int item = -1;
        private int element;
        private @Nullable Payload settled;

        /** A payload in a Write chunk. */
        ResultPayload(Landed chunk) {
            this.chunk = chunk;
            this.bytes = chunk.bytes();
            this.length = chunk.length();
        }

        /** A payload in the message. */
        ResultPayload(ByteBuffer inMessage) {
            this.chunk = null;
            this.bytes = List.of(inMessage);
            this.length = inMessage.remaining();
        }

        /** The Write chunk where it has landed; null if it is in the message. */
        @Nullable
        Landed chunk() {
            return chunk;
        }

        void belongsTo(int ownItem, int ownElement) {
            item = ownItem;
            element = ownElement;
        }

        /** The item that the payload is; negative until it is known. */
        int item() {
            return item;
        }

        int element() {
            return element;
        }

        /** The pieces of memory where the payload is. */
        List<ByteBuffer> bytes() {
            return bytes;
        }

        /** Copies the payload out of the memory where it is. */
        void save() {
            ByteBuffer copy = ByteBuffer.allocate((int) length);
            bytes.forEach(piece -> copy.put(piece.duplicate()));
            bytes = List.of(copy.flip());
        }

        boolean isSettled() {
            return settled != null;
        }

        /** Sets the view of the destination. */
        void settle(Payload view) {
            settled = view;
            bytes = List.of();
        }

        private Payload view() {
            if (settled == null) {
                throw new IllegalStateException("the results have not been decoded");
            }
            return settled;
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public ByteBuffer buffer() throws IOException {
            return view().buffer();
        }

        @Override
        public CompletionStage<Void> fetchInto(ByteBuffer sink) {
            return view().fetchInto(sink);
        }

        @Override
        public int pieceCount() {
            return view().pieceCount();
        }

        @Override
        public Payload piece(int index) {
            return view().piece(index);
        }

        @Override
        public String toString() {
            return "Payload[" + length + " bytes]";
        }
    }

    /** Copies a result into its destination. */
    public static final class ResultCopy {
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
}
