// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import static org.emplace.compiler.capture.Timeline.bytes;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.emplace.compiler.capture.RdmaMessage.Chunk;
import org.emplace.compiler.capture.Timeline.Entry;

/** Finds the items that the Read chunks of a call carry, and describes all chunks of the call. */
final class ReadList implements ItemWalk.Chunks {
    private final UnansweredCall call;
    private final Entry entry;
    /** By the positions of the chunks. */
    private final Map<Long, String> items = new HashMap<>(Map.of(0L, "the call itself"));

    ReadList(UnansweredCall call) {
        this.call = call;
        entry = call.entry();
    }

    /** Whether all positions are multiples of four. */
    boolean checkPositions() {
        boolean isAligned = true;
        for (Chunk chunk : call.message().reads()) {
            if (chunk.position() % 4 != 0) {
                isAligned = false;
                entry.violation(Rule.POSITION_IS_ALIGNED, chunk.position());
            }
        }
        return isAligned;
    }

    @Override
    public boolean carry(String item, boolean isEligible, long length, MessageStream in) {
        if (length == 0 || !in.isAtChunk()) {
            return false;
        }
        items.put(in.position(), item);
        long carried = in.skipChunk();
        if (!isEligible) {
            entry.violation(Rule.ELIGIBLE_ITEMS_ONLY, item);
        }
        if (!MessageStream.isCount(length, carried)) {
            entry.violation(Rule.COUNT_IS_THAT_OF_THE_CHUNK, item, bytes(length), carried, "its Read chunk");
        }
        return true;
    }

    void describe() {
        for (UnansweredCall.Exposed read : call.reads()) {
            Chunk chunk = read.chunk();
            String item = items.getOrDefault(chunk.position(), "an unknown item");
            entry.line("%s -> %s, %s", chunk.name(), item, bytes(chunk.length()));
            for (ExposedSegment region : read.regions()) {
                String operations = Timeline.count(region.operations(), "RDMA Read");
                entry.detail("%s; %,d read by %s", region.segment(), region.moved(), operations);
            }
        }
        Stream.concat(call.message().writes().stream(), call.message().reply().stream())
                .forEach(chunk -> {
                    entry.line("%s: room for %s", chunk.name(), bytes(chunk.length()));
                    chunk.segments().forEach(segment -> entry.detail("%s", segment));
                });
    }
}
