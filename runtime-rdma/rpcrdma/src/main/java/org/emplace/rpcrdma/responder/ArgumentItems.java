// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rpcrdma.header.ReadChunk;
import org.emplace.rpcrdma.header.ReadSegment;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/** Finds the eligible arguments of a call: in the Read chunk at their position or, if there is none, in the message. */
final class ArgumentItems implements EligibleItems {
    /** The chunks that decoding has not used, by position. */
    private final Map<Long, ReadChunkPayload> left;

    private final List<ReadChunkPayload> taken;
    private final IncomingRdmaCall call;
    private final boolean ahead;

    /**
     * For the arguments of a call.
     *
     * @param reads the call's Read list; position zero is not an argument
     * @param ahead whether the arguments are decoded before they are fetched, on a thread that must not block
     */
    ArgumentItems(List<ReadSegment> reads, IncomingRdmaCall call, boolean ahead) {
        this.left = reads.isEmpty() ? Map.of() : byPosition(reads, call);
        this.taken = reads.isEmpty() ? List.of() : new ArrayList<>(1);
        this.call = call;
        this.ahead = ahead;
    }

    private static Map<Long, ReadChunkPayload> byPosition(List<ReadSegment> reads, IncomingRdmaCall call) {
        Map<Long, List<RemoteSegment>> segments = new HashMap<>(2);
        for (ReadSegment read : reads) {
            if (read.position() != 0) {
                segments.computeIfAbsent(read.position(), first -> new ArrayList<>(1))
                        .add(read.target());
            }
        }
        Map<Long, ReadChunkPayload> chunks = new HashMap<>(2);
        segments.forEach(
                (position, chunk) -> chunks.put(position, new ReadChunkPayload(new ReadChunk(position, chunk), call)));
        return chunks;
    }

    /** Whether a Read list has segments of arguments, at other positions than zero. */
    static boolean areIn(List<ReadSegment> reads) {
        for (ReadSegment read : reads) {
            if (read.position() != 0) {
                return true;
            }
        }
        return false;
    }

    /** Starts to fetch the chunks that decoding has used. The stage completes on a provider's thread. */
    CompletionStage<?> fetch() {
        return taken.size() == 1
                ? taken.get(0).fetched()
                : CompletableFuture.allOf(
                        taken.stream().map(ReadChunkPayload::fetched).toArray(CompletableFuture<?>[]::new));
    }

    /** Whether registered memory is free for {@link #fetch}. Another thread may take it meanwhile. */
    boolean fetchNeedsNoRegistration(RegisteredPool pool) {
        return taken.size() == 1 && pool.hasFree((int) taken.get(0).length());
    }

    /** The total length in bytes of the chunks that decoding has not used. */
    long length() {
        long bytes = 0;
        for (ReadChunkPayload chunk : left.values()) {
            bytes += chunk.length();
        }
        return bytes;
    }

    /** The number of chunks, used or not. */
    int count() {
        return left.size() + taken.size();
    }

    /** Whether decoding has used every chunk as an eligible argument. */
    boolean allTaken() {
        return left.isEmpty();
    }

    @Override
    public @Nullable Payload chunkAt(long position, long length) throws XdrException {
        ReadChunkPayload chunk = left.isEmpty() ? null : left.remove(position);
        if (chunk == null) {
            return null;
        }
        long present = chunk.length();
        if (length == UNKNOWN_LENGTH && ahead) {
            throw new XdrException("the item at position " + position + " must be fetched before it can be decoded");
        }
        if (length != UNKNOWN_LENGTH && present != length && present != EncodedMessage.roundUp(length)) {
            throw new XdrException("the Read chunk at position " + position + " has " + present
                    + " bytes, but its item has " + length);
        }
        if (length != UNKNOWN_LENGTH) {
            chunk.trim((int) length);
        }
        taken.add(chunk);
        return chunk;
    }

    @Override
    public Payload inline(ByteBuffer bytes) {
        return new ArgumentPayload(bytes, call);
    }
}
