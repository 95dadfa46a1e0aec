// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.emplace.rdma.RemoteSegment;

/**
 * The segments of a Read list that share a position: one data item, or the message itself (RFC 8166 section 3.4.5).
 *
 * @param position see {@link ReadSegment#position}
 * @param segments the memory to read, in list order
 */
public record ReadChunk(long position, List<RemoteSegment> segments) {

    /** Copies the list. */
    public ReadChunk {
        segments = List.copyOf(segments);
    }

    /** The chunks of a Read list by position. The list need not be sorted. */
    public static SortedMap<Long, ReadChunk> byPosition(List<ReadSegment> list) {
        if (list.size() == 1) {
            ReadSegment only = list.get(0);
            TreeMap<Long, ReadChunk> chunk = new TreeMap<>();
            chunk.put(only.position(), new ReadChunk(only.position(), List.of(only.target())));
            return chunk;
        }
        TreeMap<Long, List<RemoteSegment>> segments = new TreeMap<>();
        for (ReadSegment entry : list) {
            segments.computeIfAbsent(entry.position(), position -> new ArrayList<>())
                    .add(entry.target());
        }
        TreeMap<Long, ReadChunk> chunks = new TreeMap<>();
        segments.forEach((position, targets) -> chunks.put(position, new ReadChunk(position, targets)));
        return chunks;
    }

    /** The bytes of the chunk at a position of a Read list, as far as an int can say them. */
    public static int lengthAt(long position, List<ReadSegment> list) {
        long length = 0;
        for (ReadSegment entry : list) {
            length += entry.position() == position ? entry.target().length() : 0;
        }
        return (int) Math.min(Integer.MAX_VALUE, length);
    }

    /** The bytes of all segments; they may include the item's padding. */
    public long length() {
        return RemoteSegment.total(segments);
    }
}
