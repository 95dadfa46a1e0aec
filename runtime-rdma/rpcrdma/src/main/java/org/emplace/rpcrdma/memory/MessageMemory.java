// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rpc.transport.CallTally;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.HeaderCodec;
import org.emplace.xdr.ChunkMark;
import org.emplace.xdr.Payload;
import org.emplace.xdr.PayloadMark;
import org.emplace.xdr.XdrEncoder;

/**
 * The memory that one outgoing message is sent from: the encoder's stream, a buffer for the header and for what is sent inline, and the
 * chunks. Held until everything that was posted for the message has ended. Used by one thread at a time.
 */
public final class MessageMemory {
    private final RdmaMemory memory;
    private final PooledStream stream;
    private final CallTally tally;
    private final List<Runnable> releases = new ArrayList<>();

    /**
     * Takes over the memory that a message has been encoded into.
     *
     * @param memory where the rest comes from
     * @param stream given back with the rest
     * @param tally counts what has to be copied
     */
    public MessageMemory(RdmaMemory memory, PooledStream stream, CallTally tally) {
        this.memory = memory;
        this.stream = stream;
        this.tally = tally;
        releases.add(stream::release);
    }

    /**
     * The memory of an item that goes as a chunk.
     *
     * @throws IOException if a payload does not give its bytes, or there is no memory to stage or register them
     */
    public MemorySegment chunk(ChunkMark mark) throws IOException {
        if (mark instanceof PayloadMark item) {
            return payload(item.payload());
        }
        return stream.segment(mark.streamOffset(), (int) mark.length());
    }

    /** A header with nothing behind it, to be gathered by a Send. */
    public List<MemorySegment> headerAlone(Header header) throws IOException {
        return inline(header, List.of());
    }

    /** A header and the message pieces behind it, to be gathered by one Send. Payloads are copied there. */
    public List<MemorySegment> inline(Header header, List<MessagePiece> pieces) throws IOException {
        ByteBuffer encodedHeader = encode(header);
        int headerLength = encodedHeader.remaining();
        if (pieces.size() == 1 && pieces.get(0) instanceof MessagePiece.Stream whole) {
            PooledBuffer buffer = acquire(headerLength);
            buffer.buffer().put(encodedHeader);
            return List.of(buffer.segment(0, headerLength), stream.segment(whole.offset(), whole.length()));
        }
        int length = Math.toIntExact(headerLength + MessagePiece.length(pieces));
        PooledBuffer buffer = acquire(length);
        copy(pieces, buffer.buffer().put(encodedHeader));
        return List.of(buffer.segment(0, length));
    }

    /** The message pieces where they are, to be moved as one chunk. */
    public List<MemorySegment> inPlace(List<MessagePiece> pieces) throws IOException {
        List<MemorySegment> segments = new ArrayList<>(pieces.size());
        for (MessagePiece piece : pieces) {
            if (piece instanceof MessagePiece.Stream part) {
                segments.add(stream.segment(part.offset(), part.length()));
            } else if (piece instanceof MessagePiece.Item item) {
                segments.add(payload(item.payload()));
            } else {
                PooledBuffer zeros = acquire(piece.length());
                zeros.buffer().putInt(0);
                segments.add(zeros.segment(0, piece.length()));
            }
        }
        return segments;
    }

    /** The message pieces copied together, to be moved as one chunk of one segment. */
    public MemorySegment together(List<MessagePiece> pieces) throws IOException {
        int length = Math.toIntExact(MessagePiece.length(pieces));
        PooledBuffer buffer = acquire(length);
        copy(pieces, buffer.buffer());
        return buffer.segment(0, length);
    }

    /** Gives all of it back. Idempotent. */
    public void release() {
        releases.forEach(Runnable::run);
        releases.clear();
    }

    private MemorySegment payload(Payload payload) throws IOException {
        ChunkMemory chunk = memory.source(payload, tally);
        releases.add(chunk.release());
        return chunk.segment();
    }

    private PooledBuffer acquire(int length) throws RdmaException {
        PooledBuffer buffer = memory.pool().acquire(length);
        releases.add(buffer::release);
        return buffer;
    }

    private void copy(List<MessagePiece> pieces, ByteBuffer target) throws IOException {
        for (MessagePiece piece : pieces) {
            if (piece instanceof MessagePiece.Stream part) {
                target.put(stream.segment(part.offset(), part.length()).buffer());
            } else if (piece instanceof MessagePiece.Item item) {
                target.put(item.payload().buffer());
                tally.copy(item.length());
            } else {
                target.put(new byte[piece.length()]);
            }
        }
    }

    private static ByteBuffer encode(Header header) {
        XdrEncoder out = XdrEncoder.onHeap();
        HeaderCodec.encode(header, out);
        return out.finish().stream();
    }
}
