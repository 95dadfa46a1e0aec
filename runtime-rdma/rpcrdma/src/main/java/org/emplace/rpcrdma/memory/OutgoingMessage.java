// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rpc.MemoryExhaustedException;
import org.emplace.rpc.client.CallCounters;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.HeaderCodec;
import org.emplace.rpcrdma.header.HeaderCodec.HeaderSize;
import org.emplace.rpcrdma.memory.RdmaMemory.ChunkMemory;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.emplace.xdr.EncodedMessage.ChunkMark.PayloadMark;
import org.emplace.xdr.EncodedMessage.ChunkMark.RangeMark;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrEncoder;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one outgoing message, held until all work requests posted for it have completed. The encoded message is
 * in one registered buffer with room for the header before it, so that a message without chunks is sent in one piece.
 * Payloads that are exposed or copied are held with it. Used by one thread at a time.
 */
public final class OutgoingMessage implements XdrEncoder.Memory {
    /** Provides the buffers of outgoing messages. Safe for use by several threads. */
    @FunctionalInterface
    public interface Buffers {

        /**
         * Returns a buffer of at least {@code size} bytes, with undefined content, for a message or for a copy of its
         * payloads. The caller releases it.
         *
         * @throws RdmaException with reason NO_RESOURCES if there is no memory, or if the message may not have more
         */
        PooledBuffer acquire(int size) throws RdmaException;
    }

    /** Room for a header with four chunks of one segment each, in bytes. A longer header has its own buffer. */
    private static final int HEADER_ROOM = 128;

    private final RdmaMemory memory;
    private final int firstCapacity;
    private final OutgoingMessages home;
    /** The encoder of the message; null before {@link #encoder} and after {@link #place}. */
    private @Nullable XdrEncoder encoder;

    private Buffers buffers;
    private CallCounters counters = CallCounters.NONE;
    private @Nullable PooledBuffer buffer;
    private boolean released;
    private final List<Runnable> releases = new ArrayList<>(0);

    /** Creates a message without memory; see {@link OutgoingMessages}. */
    OutgoingMessage(RdmaMemory memory, int threshold, OutgoingMessages home) {
        this.memory = memory;
        this.buffers = memory.pool();
        this.firstCapacity = threshold;
        this.home = home;
    }

    void reset(Buffers from, CallCounters counting) {
        released = false;
        buffers = from;
        counters = counting;
    }

    private void checkNotReleased() {
        assert !released : "an outgoing message is used after its release";
    }

    /** Returns the encoder of the message. Called once for each message. */
    public XdrEncoder encoder() {
        checkNotReleased();
        XdrEncoder next = home.acquireEncoder(this);
        encoder = next;
        return next;
    }

    /**
     * Copies the finished message into a registered buffer.
     *
     * @throws MemoryExhaustedException if the pool is exhausted; {@link XdrEncoder#finish} passes it on
     */
    @Override
    public ByteBuffer place(byte[] message, int length) {
        checkNotReleased();
        PooledBuffer acquired;
        try {
            acquired = buffers.acquire(Math.max(HEADER_ROOM + length, firstCapacity));
        } catch (RdmaException exhausted) {
            throw new MemoryExhaustedException(exhausted);
        }
        buffer = acquired;
        ByteBuffer placed = acquired.view().put(HEADER_ROOM, message, 0, length).position(HEADER_ROOM);
        giveEncoderBack();
        return placed;
    }

    private void giveEncoderBack() {
        XdrEncoder used = encoder;
        encoder = null;
        if (used != null) {
            home.release(used);
        }
    }

    /** Returns an RDMA_MSG header without chunks and the whole message, to be gathered by one Send. Copies payloads. */
    public List<MemorySegment> inline(int xid, int credits, EncodedMessage message) throws IOException {
        if (!message.marks().isEmpty()) {
            return inline(new Header.Message(xid, credits, ChunkLists.EMPTY), message, List.of());
        }
        PooledBuffer encoded = encoded();
        int start = HEADER_ROOM - HeaderSize.WITHOUT_CHUNKS;
        HeaderCodec.encodeWithoutChunks(xid, credits, encoded.view().position(start));
        return encoded.gather(start, HeaderSize.WITHOUT_CHUNKS + message.streamLength());
    }

    /**
     * Returns the header and the message without the items that become chunks, to be gathered by one Send. Copies the payloads of the other items.
     *
     * @param chunks the items that become chunks, in message order
     */
    public List<MemorySegment> inline(Header header, EncodedMessage message, List<? extends ChunkMark> chunks)
            throws IOException {
        if (Piece.isStream(message, chunks)) {
            return whole(header, message.streamLength());
        }
        List<Piece> pieces = Piece.of(message, chunks);
        int headerLength = HeaderSize.of(header);
        int length = Math.toIntExact(headerLength + Piece.length(pieces));
        PooledBuffer together = acquire(length);
        ByteBuffer out = together.view();
        HeaderCodec.encode(header, out);
        copy(pieces, out);
        return together.gather(0, length);
    }

    /** Returns the header alone, to be gathered by a Send. */
    public List<MemorySegment> headerAlone(Header header) throws IOException {
        int length = HeaderSize.of(header);
        PooledBuffer alone = acquire(length);
        HeaderCodec.encode(header, alone.view());
        return alone.gather(0, length);
    }

    /** Puts the header directly before the message if there is room. */
    private List<MemorySegment> whole(Header header, int streamLength) throws IOException {
        int headerLength = HeaderSize.of(header);
        if (headerLength > HEADER_ROOM) {
            List<MemorySegment> alone = headerAlone(header);
            return List.of(alone.get(0), stream(0, streamLength));
        }
        PooledBuffer encoded = encoded();
        HeaderCodec.encode(header, encoded.view().position(HEADER_ROOM - headerLength));
        return encoded.gather(HEADER_ROOM - headerLength, headerLength + streamLength);
    }

    /**
     * Returns the memory of an item that becomes a chunk.
     *
     * @param most the most segments; see {@link #chunk(List, int)}
     * @throws IOException if a payload cannot be read, or there is no memory to stage or register it
     */
    public List<MemorySegment> chunk(ChunkMark mark, int most) throws IOException {
        if (!(mark instanceof PayloadMark item)) {
            return List.of(stream(mark.streamOffset(), (int) mark.length()));
        }
        return item.payload().pieceCount() == 1
                ? List.of(payload(item.payload()))
                : chunk(Piece.of(item.payload()), most);
    }

    /**
     * Returns the memory of pieces that become one chunk: in place, or copied into one segment if there are more than
     * {@code most} pieces.
     *
     * @throws IOException if a payload cannot be read, or there is no memory to stage or register it
     */
    public List<MemorySegment> chunk(List<Piece> pieces, int most) throws IOException {
        return pieces.size() <= most ? inPlace(pieces) : List.of(together(pieces));
    }

    /**
     * Returns a segment for each piece. Padding is copied into one segment with the stream bytes that follow it,
     * because it needs no segment of its own (RFC 5666 section 3.7).
     */
    private List<MemorySegment> inPlace(List<Piece> pieces) throws IOException {
        List<MemorySegment> segments = new ArrayList<>(pieces.size());
        int next = 0;
        while (next < pieces.size()) {
            Piece piece = pieces.get(next++);
            if (piece instanceof Piece.Stream part) {
                segments.add(stream(part.offset(), part.length()));
            } else if (piece instanceof Piece.Item item) {
                segments.add(payload(item.payload()));
            } else if (next < pieces.size() && pieces.get(next) instanceof Piece.Stream part) {
                segments.add(together(List.of(piece, part)));
                next++;
            } else {
                segments.add(together(List.of(piece)));
            }
        }
        return segments;
    }

    private MemorySegment together(List<Piece> pieces) throws IOException {
        int length = Math.toIntExact(Piece.length(pieces));
        PooledBuffer together = acquire(length);
        copy(pieces, together.view());
        return together.segment(0, length);
    }

    /** Releases all memory, and returns this object for reuse. Call this once. */
    public void release() {
        checkNotReleased();
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
        for (int i = 0; i < releases.size(); i++) {
            releases.get(i).run();
        }
        releases.clear();
        encoder = null;
        reset(memory.pool(), CallCounters.NONE);
        released = true;
        home.release(this);
    }

    private PooledBuffer encoded() {
        checkNotReleased();
        if (buffer == null) {
            throw new IllegalStateException("the message has not been encoded");
        }
        return buffer;
    }

    private MemorySegment stream(int offset, int length) {
        return encoded().segment(HEADER_ROOM + offset, length);
    }

    private MemorySegment payload(Payload payload) throws IOException {
        checkNotReleased();
        MemorySegment registered = memory.registered(payload);
        if (registered != null) {
            return registered;
        }
        ChunkMemory chunk = memory.source(payload, buffers, counters);
        releases.add(chunk.release());
        return chunk.segment();
    }

    private PooledBuffer acquire(int length) throws RdmaException {
        checkNotReleased();
        PooledBuffer acquired = buffers.acquire(length);
        try {
            releases.add(acquired::release);
            return acquired;
        } catch (RuntimeException | Error broken) {
            acquired.release();
            throw broken;
        }
    }

    private void copy(List<Piece> pieces, ByteBuffer target) throws IOException {
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (piece instanceof Piece.Stream part) {
                int start = target.position();
                target.put(start, encoded().view(), HEADER_ROOM + part.offset(), part.length());
                target.position(start + part.length());
            } else if (piece instanceof Piece.Item item) {
                target.put(item.payload().buffer());
                counters.copy(item.length());
            } else {
                target.put(new byte[piece.length()]);
            }
        }
    }

    /** A part of an encoded message from which the items that become chunks have been removed. */
    public sealed interface Piece {

        int length();

        /** A range of the encoder's stream. */
        record Stream(int offset, int length) implements Piece {}

        /** A payload, or one piece of it, which is not in the stream. */
        record Item(Payload payload) implements Piece {
            @Override
            public int length() {
                return Math.toIntExact(payload.length());
            }
        }

        /** The XDR padding after an item: zeros. */
        record Padding(int length) implements Piece {}

        /**
         * Returns the pieces of a message in order, without the items that become chunks and their padding.
         *
         * @param chunks these items, in message order
         */
        static List<Piece> of(EncodedMessage message, List<? extends ChunkMark> chunks) {
            List<Piece> pieces = new ArrayList<>(2);
            int done = 0;
            int left = 0;
            for (int i = 0; i < message.marks().size(); i++) {
                ChunkMark mark = message.marks().get(i);
                // Compares by identity, because two equal items can be at the same offset of the stream.
                boolean leftOut = left < chunks.size() && chunks.get(left) == mark;
                left += leftOut ? 1 : 0;
                if (mark instanceof PayloadMark item && !leftOut) {
                    addStream(pieces, done, mark.streamOffset());
                    addItem(pieces, item.payload());
                    done = mark.streamOffset();
                } else if (mark instanceof RangeMark range && leftOut) {
                    addStream(pieces, done, mark.streamOffset());
                    done = mark.streamOffset() + (int) range.length();
                }
            }
            addStream(pieces, done, message.streamLength());
            return pieces;
        }

        /**
         * Whether the encoder's stream is all that is sent inline: every payload becomes a chunk, and nothing else does.
         *
         * @param chunks the items that become chunks
         */
        static boolean isStream(EncodedMessage message, List<? extends ChunkMark> chunks) {
            return payloads(chunks) == chunks.size() && payloads(message.marks()) == chunks.size();
        }

        private static int payloads(List<? extends ChunkMark> marks) {
            int payloads = 0;
            for (int i = 0; i < marks.size(); i++) {
                payloads += marks.get(i) instanceof PayloadMark ? 1 : 0;
            }
            return payloads;
        }

        /** Returns the pieces of a payload, without padding. */
        static List<Piece> of(Payload payload) {
            List<Piece> pieces = new ArrayList<>(payload.pieceCount());
            addPieces(pieces, payload);
            return pieces;
        }

        /** Returns the total length of the pieces in bytes. */
        static long length(List<Piece> pieces) {
            long length = 0;
            for (int i = 0; i < pieces.size(); i++) {
                length += pieces.get(i).length();
            }
            return length;
        }

        private static void addStream(List<Piece> pieces, int from, int to) {
            if (to > from) {
                pieces.add(new Stream(from, to - from));
            }
        }

        private static void addItem(List<Piece> pieces, Payload payload) {
            long length = payload.length();
            if (length > 0) {
                addPieces(pieces, payload);
                int padding = (int) (EncodedMessage.roundUp(length) - length);
                if (padding > 0) {
                    pieces.add(new Padding(padding));
                }
            }
        }

        private static void addPieces(List<Piece> pieces, Payload payload) {
            for (int i = 0; i < payload.pieceCount(); i++) {
                pieces.add(new Item(payload.piece(i)));
            }
        }
    }
}
