// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rpc.Destination;
import org.emplace.rpc.transport.CallCounters;
import org.emplace.rpc.transport.DestinationItems;
import org.emplace.rpc.transport.PendingCall;
import org.emplace.rpcrdma.memory.ChunkMemory;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one Write chunk of a call: the destination itself if it is direct memory, otherwise a staging buffer
 * from which the result is copied. A destination with several pieces has a segment for each.
 */
final class ResultChunk {
    /** The memory of the first segment. The next three fields are about this segment, too. */
    private final ChunkMemory memory;

    private final int room;
    private final Destination destination;
    /** Whether the memory is a staging buffer, from which the result is copied. */
    private final boolean staged;

    /** The other segments, one in each. */
    private final List<ResultChunk> further;

    private ResultChunk(
            ChunkMemory memory, int room, Destination destination, boolean staged, List<ResultChunk> further) {
        this.memory = memory;
        this.room = room;
        this.destination = destination;
        this.staged = staged;
        this.further = further;
    }

    /** Whether there is registered memory for each result that a call may have. */
    static boolean areRegistered(PendingCall<?, ?> call, RdmaMemory domain) {
        List<Destination> destinations = call.destinations();
        return destinations.size() >= call.resultSizes().size()
                && destinations.stream()
                        .allMatch(each -> each instanceof Destination.InRegistered in
                                && in.buffer() instanceof RdmaMemory.Registered registered
                                && registered.isOf(domain));
    }

    /**
     * Prepares the memory for a result.
     *
     * @param size the largest size of the result in bytes; a smaller destination limits it
     * @param inPieces whether each piece of the destination may have a segment; if not, a destination of several pieces
     *     is staged
     */
    static ResultChunk of(Destination destination, long size, boolean inPieces, RdmaMemory domain)
            throws RdmaException {
        int room = (int) Math.min(destination.capacity(), size);
        if (destination instanceof Destination.InPieces several) {
            return inPieces && room > 0 ? ofPieces(several, room, domain) : staged(destination, room, domain);
        } else if (destination instanceof Destination.InRegistered in) {
            return room > 0 && in.buffer() instanceof RdmaMemory.Registered registered && registered.isOf(domain)
                    ? inPlace(destination, ChunkMemory.lasting(registered.segment(in.offset(), room)))
                    : inBuffer(destination, in.buffer().buffer().slice(in.offset(), room), domain);
        } else if (destination instanceof Destination.InBuffer in) {
            return inBuffer(destination, in.buffer().slice(0, room), domain);
        }
        ByteBuffer allocated = RegisteredPool.allocate(room);
        return inBuffer(Destination.into(allocated), allocated, domain);
    }

    private static ResultChunk ofPieces(Destination.InPieces destination, int room, RdmaMemory domain)
            throws RdmaException {
        List<ResultChunk> pieces = new ArrayList<>(destination.pieces().size());
        int left = room;
        try {
            for (Destination piece : destination.pieces()) {
                if (left > 0) {
                    ResultChunk chunk = of(piece, left, false, domain);
                    pieces.add(chunk);
                    left -= chunk.room;
                }
            }
        } catch (RdmaException | RuntimeException | Error failure) {
            pieces.forEach(ResultChunk::release);
            throw failure;
        }
        ResultChunk first = pieces.get(0);
        return new ResultChunk(
                first.memory, first.room, first.destination, first.staged, pieces.subList(1, pieces.size()));
    }

    private static ResultChunk inBuffer(Destination destination, ByteBuffer target, RdmaMemory domain)
            throws RdmaException {
        return target.capacity() > 0 && target.isDirect()
                ? inPlace(destination, domain.inPlace(target))
                : staged(destination, target.capacity(), domain);
    }

    private static ResultChunk inPlace(Destination destination, ChunkMemory memory) {
        return new ResultChunk(memory, memory.segment().length(), destination, false, List.of());
    }

    /**
     * Stages a result. An STag for no bytes could not be invalidated by the reply, so a result without room gets one
     * byte.
     */
    private static ResultChunk staged(Destination destination, int room, RdmaMemory domain) throws RdmaException {
        return new ResultChunk(domain.staging(Math.max(room, 1)), room, destination, true, List.of());
    }

    /** The number of segments. */
    int segments() {
        return 1 + further.size();
    }

    /** The memory to expose as a segment. */
    MemorySegment segment(int index) {
        return index == 0 ? memory.segment() : further.get(index - 1).memory.segment();
    }

    /** The most bytes of the result. */
    int room() {
        int total = room;
        for (int i = 0; i < further.size(); i++) {
            total += further.get(i).room;
        }
        return total;
    }

    /**
     * Returns the n-th eligible result, which is in the n-th Write chunk; null if there are fewer chunks.
     *
     * @param placed the number of bytes in each chunk, according to the reply
     * @param length the length of the result in bytes, or {@link EligibleItems#UNKNOWN_LENGTH}
     * @throws XdrException if the chunk has another number of bytes
     */
    static @Nullable Payload find(
            List<ResultChunk> chunks, long[] placed, int index, long length, CallCounters counters)
            throws XdrException {
        if (index >= chunks.size()) {
            return null;
        }
        long present = placed[index];
        if (length != EligibleItems.UNKNOWN_LENGTH && present != length && present != EncodedMessage.roundUp(length)) {
            throw new XdrException(
                    "Write chunk " + index + " came back with " + present + " bytes for a result of " + length);
        }
        counters.writeChunk(present);
        return chunks.get(index).placed((int) (length == EligibleItems.UNKNOWN_LENGTH ? present : length), counters);
    }

    /** Returns the result that the peer has written. Called when the memory is fenced. */
    Payload placed(int length, CallCounters counters) throws XdrException {
        if (further.isEmpty()) {
            return placedInFirst(length, counters);
        }
        List<Payload> pieces = new ArrayList<>(segments());
        int left = length;
        for (int i = 0; i < segments() && left > 0; i++) {
            ResultChunk piece = i == 0 ? this : further.get(i - 1);
            int here = Math.min(left, piece.room);
            pieces.add(piece.placedInFirst(here, counters));
            left -= here;
        }
        return Payload.of(pieces);
    }

    private Payload placedInFirst(int length, CallCounters counters) throws XdrException {
        if (staged) {
            ByteBuffer bytes = memory.segment().buffer().limit(length);
            return DestinationItems.copy(List.of(destination), 0, bytes, counters);
        }
        return destination instanceof Destination.InRegistered in
                ? in.buffer().payload(in.offset(), length)
                : Payload.of(((Destination.InBuffer) destination).buffer().slice(0, length));
    }

    void release() {
        memory.release().run();
        for (int i = 0; i < further.size(); i++) {
            further.get(i).release();
        }
    }
}
