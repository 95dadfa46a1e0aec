// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rpcrdma.header.WriteChunk;

/** Writes pieces of local memory into remote memory with different pieces. */
final class Gather {
    private Gather() {}

    /**
     * Adds RDMA Writes of the pieces into the segments of a chunk, in order, as far as the chunk has room. Adds none if there are no bytes. Usually
     * there is one piece and one segment.
     *
     * @param work takes the Writes
     */
    static void write(List<MemorySegment> pieces, WriteChunk chunk, int id, List<WorkRequest> work) {
        if (pieces.size() == 1 && chunk.segments().size() == 1) {
            RemoteSegment target = chunk.segments().get(0);
            int length = pieces.get(0).length();
            if (length > 0 && length <= target.length()) {
                work.add(new WorkRequest.Write(id, pieces, target));
                return;
            }
        }
        Deque<MemorySegment> left = new ArrayDeque<>(pieces);
        for (int i = 0; i < chunk.segments().size(); i++) {
            RemoteSegment target = chunk.segments().get(i);
            List<MemorySegment> taken = take(left, target.length());
            if (!taken.isEmpty()) {
                work.add(new WorkRequest.Write(id, taken, target));
            }
        }
    }

    /** Removes and returns the first pieces, or parts of them, for which there is room. */
    private static List<MemorySegment> take(Deque<MemorySegment> left, long room) {
        List<MemorySegment> taken = new ArrayList<>(1);
        long free = room;
        while (free > 0 && !left.isEmpty()) {
            MemorySegment first = left.pop();
            int fitting = (int) Math.min(free, first.length());
            if (fitting > 0) {
                taken.add(part(first, 0, fitting));
            }
            if (fitting < first.length()) {
                left.push(part(first, fitting, first.length() - fitting));
            }
            free -= fitting;
        }
        return taken;
    }

    /** Returns a segment or a part of it. */
    static MemorySegment part(MemorySegment whole, int offset, int length) {
        return length == whole.length() ? whole : whole.region().segment(whole.offset() + offset, length);
    }
}
