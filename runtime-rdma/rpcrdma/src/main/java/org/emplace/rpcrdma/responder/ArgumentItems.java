// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
    private static final Comparator<ReadSegment> BY_POSITION = Comparator.comparingLong(ReadSegment::position);

    /** In the order of their positions, in which decoding asks for them. */
    private final List<ReadChunkPayload> chunks;

    private final List<ReadChunkPayload> taken;
    private final IncomingRdmaCall call;
    private final boolean ahead;
    /** The first chunk that the decoding can still ask for. */
    private int next;
    /** Whether it has passed by a chunk at whose position no eligible item begins. */
    private boolean missed;

    /**
     * For the arguments of a call.
     *
     * @param reads the call's Read list; position zero is not an argument
     * @param ahead whether the arguments are decoded before they are fetched, on a thread that must not block
     */
    ArgumentItems(List<ReadSegment> reads, IncomingRdmaCall call, boolean ahead) {
        this.chunks = reads.isEmpty() ? List.of() : inOrder(reads, call);
        this.taken = reads.isEmpty() ? List.of() : new ArrayList<>(1);
        this.call = call;
        this.ahead = ahead;
    }

    private static List<ReadChunkPayload> inOrder(List<ReadSegment> reads, IncomingRdmaCall call) {
        List<ReadSegment> sorted = new ArrayList<>(reads);
        sorted.sort(BY_POSITION);
        List<ReadChunkPayload> chunks = new ArrayList<>(1);
        for (int at = 0; at < sorted.size(); ) {
            long position = sorted.get(at).position();
            List<RemoteSegment> segments = new ArrayList<>(1);
            while (at < sorted.size() && sorted.get(at).position() == position) {
                segments.add(sorted.get(at++).target());
            }
            if (position != 0) {
                chunks.add(new ReadChunkPayload(new ReadChunk(position, segments), call));
            }
        }
        return chunks;
    }

    /** Whether a Read list has segments of arguments, at other positions than zero. */
    static boolean areIn(List<ReadSegment> reads) {
        for (int i = 0; i < reads.size(); i++) {
            if (reads.get(i).position() != 0) {
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

    /** The total length in bytes of the chunks. */
    long length() {
        long bytes = 0;
        for (ReadChunkPayload chunk : chunks) {
            bytes += chunk.length();
        }
        return bytes;
    }

    /** The number of chunks. */
    int count() {
        return chunks.size();
    }

    /** Whether decoding has used every chunk as an eligible argument. */
    boolean allTaken() {
        return !missed && next == chunks.size();
    }

    private @Nullable ReadChunkPayload chunkAt(long position) {
        while (next < chunks.size() && chunks.get(next).position() < position) {
            next++;
            missed = true;
        }
        if (next == chunks.size() || chunks.get(next).position() > position) {
            return null;
        }
        return chunks.get(next++);
    }

    @Override
    public @Nullable Payload chunkAt(long position, long length) throws XdrException {
        ReadChunkPayload chunk = chunkAt(position);
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
