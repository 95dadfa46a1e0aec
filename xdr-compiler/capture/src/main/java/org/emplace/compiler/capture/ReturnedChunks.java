// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import static org.emplace.compiler.capture.Timeline.bytes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.emplace.compiler.capture.RdmaMessage.Chunk;
import org.emplace.compiler.capture.RdmaMessage.Segment;
import org.emplace.compiler.capture.Timeline.Entry;

/** Compares the chunks of a reply with those that its call offered, finds the items that they carry, and describes them. */
final class ReturnedChunks implements ItemWalk.Chunks {
    private final UnansweredCall call;
    private final RdmaMessage reply;
    private final Entry entry;
    private final Map<Integer, String> items = new HashMap<>();
    private int next;

    ReturnedChunks(UnansweredCall call, RdmaMessage reply, Entry entry) {
        this.call = call;
        this.reply = reply;
        this.entry = entry;
    }

    /** Whether chunks and segments match those of the call, and none is longer. */
    boolean checkSegments() {
        List<Chunk> offered = call.message().writes();
        List<Chunk> returned = reply.writes();
        boolean fits = offered.size() == returned.size();
        if (!fits) {
            changed("Write chunks: %d in the call, %d in the reply", offered.size(), returned.size());
        }
        for (int i = 0; i < Math.min(offered.size(), returned.size()); i++) {
            fits &= fits(offered.get(i), returned.get(i));
        }
        if (reply.reply().isPresent()) {
            fits &= fits(call.reply().chunk(), reply.reply().get());
        }
        return fits;
    }

    private boolean fits(Chunk offered, Chunk returned) {
        int segments = offered.segments().size();
        if (segments != returned.segments().size()) {
            changed(
                    "segments of %s: %d in the call, %d in the reply",
                    returned.name(), segments, returned.segments().size());
            return false;
        }
        for (int i = 0; i < segments; i++) {
            long room = offered.segments().get(i).length();
            long length = returned.segments().get(i).length();
            if (length > room) {
                changed(
                        "segment %d of %s has room for %s, but the reply says %,d",
                        i + 1, returned.name(), bytes(room), length);
                return false;
            }
        }
        return true;
    }

    private void changed(String format, Object... arguments) {
        entry.violation(Rule.CHUNKS_COME_BACK_AS_THEY_WERE, Timeline.text(format, arguments));
    }

    @Override
    public boolean carry(String item, boolean isEligible, long length, MessageStream in) {
        if (!isEligible || next == reply.writes().size()) {
            return false;
        }
        int number = next++;
        Chunk chunk = reply.writes().get(number);
        long returned = chunk.length();
        long room = call.writes().get(number).chunk().length();
        if (returned == 0 && length != 0) {
            if (room > 0 && room >= length) {
                entry.violation(Rule.RESULTS_GO_BY_THE_WRITE_LIST, item, chunk.name());
            }
            return false;
        }
        items.put(number, item);
        if (!MessageStream.isCount(length, returned)) {
            entry.violation(Rule.COUNT_IS_THAT_OF_THE_CHUNK, item, bytes(length), returned, chunk.name());
        }
        in.advance(returned);
        return true;
    }

    /** Reports Write chunks that have a length although all results have been read. */
    void checkUnused() {
        reply.writes().stream()
                .skip(next)
                .filter(chunk -> chunk.length() > 0)
                .forEach(chunk -> entry.violation(Rule.UNUSED_CHUNKS_ARE_EMPTY, chunk.name()));
    }

    /** @param isComplete whether the capture has all of the connection so far */
    void describe(boolean isComplete) {
        for (int i = 0; i < reply.writes().size(); i++) {
            Chunk chunk = reply.writes().get(i);
            String unnamed = chunk.length() == 0 ? "nothing" : "an unknown item";
            describe(call.writes().get(i), chunk, items.getOrDefault(i, unnamed), isComplete);
        }
        reply.reply()
                .ifPresent(chunk -> describe(
                        call.reply(), chunk, chunk.length() == 0 ? "nothing" : "the reply itself", isComplete));
    }

    private void describe(UnansweredCall.Exposed offered, Chunk returned, String content, boolean isComplete) {
        entry.line(
                "%s <- %s, %,d of %s",
                returned.name(),
                content,
                returned.length(),
                bytes(offered.chunk().length()));
        for (int i = 0; i < returned.segments().size(); i++) {
            ExposedSegment region = offered.regions().get(i);
            Segment segment = region.segment();
            long length = returned.segments().get(i).length();
            entry.detail(
                    "handle 0x%08x, %,d of %s; %,d written by %s",
                    segment.handle(),
                    length,
                    bytes(segment.length()),
                    region.moved(),
                    Timeline.count(region.operations(), "RDMA Write"));
            if (isComplete && !region.hasFirst(length)) {
                entry.violation(
                        Rule.LENGTHS_ARE_WHAT_WAS_WRITTEN, i + 1, returned.name(), bytes(length), region.moved());
            }
        }
    }
}
