// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rpc.Destination;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpc.ResultPlaces.Place;
import org.emplace.rpc.client.CallCounters;
import org.emplace.rpc.client.ResultItems;
import org.emplace.rpc.client.ResultItems.ResultCopy;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RdmaMemory.ChunkMemory;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one Write chunk of a call: a place for results. Its first segments are the memory of the place's
 * destination, or a staging buffer from which the result is copied if that is not direct memory; a destination with
 * several pieces has a segment for each. If a larger result can land here, a further segment of staging memory follows.
 */
final class ResultChunk implements ResultItems.Landed {
    /** The memory of the first segment. The next three fields are about this segment, too. */
    private final ChunkMemory memory;

    private final int room;
    /** Null for staging memory behind a destination. */
    private final @Nullable Destination destination;
    /** Whether the memory is a staging buffer, from which the result is copied. */
    private final boolean staged;

    /** The other segments, one in each. */
    private final List<ResultChunk> further;

    private final CallCounters counters;

    /** The number of bytes that have landed, according to the reply. */
    private int length;

    private ResultChunk(
            ChunkMemory memory,
            int room,
            @Nullable Destination destination,
            boolean staged,
            List<ResultChunk> further,
            CallCounters counters) {
        this.counters = counters;
        this.memory = memory;
        this.room = room;
        this.destination = destination;
        this.staged = staged;
        this.further = further;
    }

    /** Whether there is registered memory for each result that a call may have. */
    static boolean areRegistered(ResultPlaces<?> places, RdmaMemory domain) {
        for (int i = 0; i < places.count(); i++) {
            Place place = places.get(i);
            boolean isRegistered = place.size() == place.room()
                    && place.destination() instanceof Destination.InRegistered in
                    && in.buffer() instanceof RdmaMemory.Registered registered
                    && registered.isOf(domain);
            if (!isRegistered) {
                return false;
            }
        }
        return true;
    }

    /**
     * Prepares the memory of a place.
     *
     * @param inPieces whether the chunk may have several segments; if not, what needs several is staged
     */
    static ResultChunk of(Place place, boolean inPieces, RdmaMemory domain, CallCounters counters)
            throws RdmaException {
        int room = place.room();
        int size = place.size();
        Destination destination = place.destination();
        if (size == room) {
            return of(destination, room, inPieces, domain, counters);
        } else if (!inPieces || room == 0) {
            return staged(destination, size, domain, counters);
        }
        ResultChunk first = of(destination, room, true, domain, counters);
        try {
            return first.with(
                    new ResultChunk(domain.staging(size - room), size - room, null, true, List.of(), counters));
        } catch (RdmaException | RuntimeException | Error failure) {
            first.release();
            throw failure;
        }
    }

    private ResultChunk with(ResultChunk behind) {
        List<ResultChunk> all = new ArrayList<>(further);
        all.add(behind);
        return new ResultChunk(memory, room, destination, staged, all, counters);
    }

    private static ResultChunk of(
            Destination destination, int room, boolean inPieces, RdmaMemory domain, CallCounters counters)
            throws RdmaException {
        if (destination instanceof Destination.InPieces several) {
            return inPieces && room > 0
                    ? ofPieces(several, room, domain, counters)
                    : staged(destination, room, domain, counters);
        } else if (destination instanceof Destination.InRegistered in) {
            return room > 0 && in.buffer() instanceof RdmaMemory.Registered registered && registered.isOf(domain)
                    ? inPlace(destination, ChunkMemory.lasting(registered.segment(in.offset(), room)), counters)
                    : inBuffer(destination, in.buffer().buffer().slice(in.offset(), room), domain, counters);
        } else if (destination instanceof Destination.InBuffer in) {
            return inBuffer(destination, in.buffer().slice(0, room), domain, counters);
        }
        ByteBuffer allocated = RegisteredPool.allocate(room);
        return inBuffer(Destination.into(allocated), allocated, domain, counters);
    }

    private static ResultChunk ofPieces(
            Destination.InPieces destination, int room, RdmaMemory domain, CallCounters counters) throws RdmaException {
        List<ResultChunk> pieces = new ArrayList<>(destination.pieces().size());
        int left = room;
        try {
            for (Destination piece : destination.pieces()) {
                if (left > 0) {
                    ResultChunk chunk = of(piece, (int) Math.min(piece.capacity(), left), false, domain, counters);
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
                first.memory, first.room, first.destination, first.staged, pieces.subList(1, pieces.size()), counters);
    }

    private static ResultChunk inBuffer(
            Destination destination, ByteBuffer target, RdmaMemory domain, CallCounters counters) throws RdmaException {
        return target.capacity() > 0 && target.isDirect()
                ? inPlace(destination, domain.inPlace(target), counters)
                : staged(destination, target.capacity(), domain, counters);
    }

    private static ResultChunk inPlace(Destination destination, ChunkMemory memory, CallCounters counters) {
        return new ResultChunk(memory, memory.segment().length(), destination, false, List.of(), counters);
    }

    /**
     * Stages a result. An STag for no bytes could not be invalidated by the reply, so a result without room gets one
     * byte.
     */
    private static ResultChunk staged(Destination destination, int room, RdmaMemory domain, CallCounters counters)
            throws RdmaException {
        return new ResultChunk(domain.staging(Math.max(room, 1)), room, destination, true, List.of(), counters);
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

    /** Sets the number of bytes that have landed. */
    void landed(int bytes) {
        length = bytes;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public List<ByteBuffer> bytes() {
        if (length <= room) {
            return List.of(memory.segment().buffer().slice(0, length));
        }
        List<ByteBuffer> pieces = new ArrayList<>(segments());
        int left = length;
        for (int i = 0; i < segments() && left > 0; i++) {
            int here = Math.min(left, segmentRoom(i));
            pieces.add(segment(i).buffer().slice(0, here));
            left -= here;
        }
        return pieces;
    }

    private int segmentRoom(int index) {
        return index == 0 ? room : further.get(index - 1).room;
    }

    @Override
    public Payload inPlace() throws XdrException {
        if (length <= room) {
            return inFirst(length);
        }
        List<Payload> pieces = new ArrayList<>(segments());
        int left = length;
        for (int i = 0; i < segments() && left > 0; i++) {
            ResultChunk piece = i == 0 ? this : further.get(i - 1);
            if (piece.destination == null) {
                throw ResultCopy.tooSmall(length, length - left);
            }
            int here = Math.min(left, piece.room);
            pieces.add(piece.inFirst(here));
            left -= here;
        }
        return Payload.of(pieces);
    }

    private Payload inFirst(int bytes) throws XdrException {
        Destination own = Objects.requireNonNull(destination);
        if (staged) {
            return ResultCopy.into(own, memory.segment().buffer(), bytes, counters);
        }
        return own instanceof Destination.InRegistered in
                ? in.buffer().payload(in.offset(), bytes)
                : Payload.of(((Destination.InBuffer) own).buffer().slice(0, bytes));
    }

    void release() {
        memory.release().run();
        for (int i = 0; i < further.size(); i++) {
            further.get(i).release();
        }
    }
}
