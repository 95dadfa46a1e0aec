// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.compiler.capture.Definitions.Known;
import org.emplace.compiler.capture.RdmaMessage.Chunk;
import org.emplace.compiler.capture.Timeline.Entry;

/** A call, with the memory that it exposes, until its reply. */
final class PendingCall {
    private static final Chunk NO_CHUNK = new Chunk("Reply chunk", 0, List.of());

    private final RdmaMessage message;
    private final Entry entry;
    private final boolean isBackward;
    private final List<Exposed> reads;
    private final List<Exposed> writes;
    private final Exposed reply;
    private final List<String> breaches = new ArrayList<>();
    private String name = "a call that could not be read";
    private Optional<Known> procedure = Optional.empty();

    /** A chunk with its memory. */
    record Exposed(Chunk chunk, List<MemoryRegion> regions) {

        /**
         * The message that the chunk carries; empty, with a note, if the capture lacks a part of it.
         *
         * @param used says how much of each segment the message takes
         */
        Optional<ByteBuffer> message(Chunk used, Entry entry) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int i = 0; i < regions.size(); i++) {
                long length = used.segments().get(i).length();
                if (!regions.get(i).hasFirst(length)) {
                    entry.note(
                            "the message is not decoded, because it is in a chunk of which the capture has only %,d of %,d bytes",
                            regions.stream().mapToLong(MemoryRegion::moved).sum(), used.length());
                    return Optional.empty();
                }
                all.writeBytes(regions.get(i).content(length));
            }
            return Optional.of(ByteBuffer.wrap(all.toByteArray()));
        }
    }

    /**
     * @param entry its output
     * @param isBackward whether a server is known to call a client
     */
    PendingCall(RdmaMessage message, Entry entry, boolean isBackward) {
        this.message = message;
        this.entry = entry;
        this.isBackward = isBackward;
        reads = message.reads().stream()
                .map(chunk -> exposed(chunk, true, chunk.position() == 0))
                .toList();
        writes = message.writes().stream()
                .map(chunk -> exposed(chunk, false, false))
                .toList();
        reply = exposed(message.reply().orElse(NO_CHUNK), false, true);
    }

    private Exposed exposed(Chunk chunk, boolean isForReading, boolean isKept) {
        return new Exposed(
                chunk,
                chunk.segments().stream()
                        .map(segment -> new MemoryRegion(this, segment, isForReading, isKept))
                        .toList());
    }

    RdmaMessage message() {
        return message;
    }

    Entry entry() {
        return entry;
    }

    boolean isBackward() {
        return isBackward;
    }

    List<Exposed> reads() {
        return reads;
    }

    List<Exposed> writes() {
        return writes;
    }

    /** The Reply chunk, without segments if there is none. */
    Exposed reply() {
        return reply;
    }

    /** All memory. */
    Stream<MemoryRegion> regions() {
        return Stream.of(reads, writes, List.of(reply))
                .flatMap(List::stream)
                .flatMap(chunk -> chunk.regions().stream());
    }

    /**
     * Says what is called, once it has been read.
     *
     * @param known empty if the results cannot be decoded
     */
    void calls(String procedureName, Optional<Known> known) {
        name = procedureName;
        procedure = known;
    }

    /** The procedure's name, for texts. */
    String name() {
        return name;
    }

    Optional<Known> procedure() {
        return procedure;
    }

    /** Records that the responder has left the call's memory, to report with its reply. */
    void breach(String what) {
        breaches.add(what);
    }

    void tellBreaches(Entry where) {
        breaches.forEach(each -> where.violation(Rule.ACCESS_STAYS_IN_ITS_SEGMENT, "%s", each));
        breaches.clear();
    }
}
