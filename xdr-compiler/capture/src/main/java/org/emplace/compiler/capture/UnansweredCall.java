// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.compiler.capture.RdmaMessage.Chunk;
import org.emplace.compiler.capture.Timeline.Entry;

/**
 * A call without a reply so far, with the memory that it exposes.
 *
 * @param isBackward whether a server is known to call a client
 * @param reply without segments if the call offers no Reply chunk
 */
record UnansweredCall(
        RdmaMessage message,
        Entry entry,
        boolean isBackward,
        List<Exposed> reads,
        List<Exposed> writes,
        Exposed reply) {

    private static final Chunk NO_CHUNK = new Chunk("Reply chunk", 0, List.of());

    UnansweredCall(RdmaMessage message, Entry entry, boolean isBackward) {
        this(
                message,
                entry,
                isBackward,
                message.reads().stream()
                        .map(chunk -> new Exposed(message, chunk, true, chunk.position() == 0))
                        .toList(),
                message.writes().stream()
                        .map(chunk -> new Exposed(message, chunk, false, false))
                        .toList(),
                new Exposed(message, message.reply().orElse(NO_CHUNK), false, true));
    }

    /** A chunk with its memory. */
    record Exposed(Chunk chunk, List<ExposedSegment> regions) {

        Exposed(RdmaMessage call, Chunk chunk, boolean isForReading, boolean isKept) {
            this(
                    chunk,
                    chunk.segments().stream()
                            .map(segment -> new ExposedSegment(call.xid(), segment, isForReading, isKept))
                            .toList());
        }

        /**
         * The message that the chunk carries; empty, with a note, if it is too long or the capture lacks a part of it.
         *
         * @param used gives the number of bytes that the message takes of each segment
         */
        Optional<ByteBuffer> message(Chunk used, Entry entry) {
            if (used.length() > ExposedSegment.LONGEST_MESSAGE) {
                entry.note("the message is not decoded: %,d bytes are too many", used.length());
                return Optional.empty();
            }
            for (int i = 0; i < regions.size(); i++) {
                if (!regions.get(i).hasFirst(used.segments().get(i).length())) {
                    long moved =
                            regions.stream().mapToLong(ExposedSegment::moved).sum();
                    entry.note(
                            "the message is not decoded, because the capture has only %,d of the %,d bytes of its chunk",
                            moved, used.length());
                    return Optional.empty();
                }
            }
            ByteBuffer all = ByteBuffer.allocate((int) used.length());
            for (int i = 0; i < regions.size(); i++) {
                int length = (int) used.segments().get(i).length();
                regions.get(i).copyTo(all.slice(all.position(), length));
                all.position(all.position() + length);
            }
            return Optional.of(all.flip());
        }
    }

    Stream<ExposedSegment> regions() {
        return Stream.of(reads, writes, List.of(reply))
                .flatMap(List::stream)
                .flatMap(chunk -> chunk.regions().stream());
    }
}
