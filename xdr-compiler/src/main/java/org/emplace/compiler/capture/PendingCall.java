// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.compiler.capture.TransportHeader.Segment;

/** A call, with the memory that it exposes, until its reply. */
final class PendingCall {
    private final TransportHeader header;
    private final ByteBuffer inline;
    private final Entry entry;
    private final boolean isBackward;
    private final Map<Long, List<MemoryRegion>> reads = new LinkedHashMap<>();
    private final List<List<MemoryRegion>> writes = new ArrayList<>();
    private final Optional<List<MemoryRegion>> reply;
    private final List<Broken> brokenByResponder = new ArrayList<>();
    private Optional<RpcMessage.Call> call = Optional.empty();

    /** A rule that the responder has broken before its reply. */
    record Broken(Rule rule, String what) {}

    /**
     * @param inline what follows the header
     * @param entry its output
     * @param isBackward whether a server is known to call a client
     */
    PendingCall(TransportHeader header, ByteBuffer inline, Entry entry, boolean isBackward) {
        this.header = header;
        this.inline = inline;
        this.entry = entry;
        this.isBackward = isBackward;
        header.readChunks().forEach((position, chunk) -> reads.put(position, regions(chunk, true, position == 0)));
        header.writes().forEach(chunk -> writes.add(regions(chunk, false, false)));
        reply = header.reply().map(chunk -> regions(chunk, false, true));
    }

    private List<MemoryRegion> regions(List<Segment> chunk, boolean isForReading, boolean isKept) {
        return chunk.stream()
                .map(segment -> new MemoryRegion(this, segment, isForReading, isKept))
                .toList();
    }

    TransportHeader header() {
        return header;
    }

    ByteBuffer inline() {
        return inline;
    }

    Entry entry() {
        return entry;
    }

    boolean isBackward() {
        return isBackward;
    }

    /** The regions of each Read chunk, by its position. */
    Map<Long, List<MemoryRegion>> reads() {
        return reads;
    }

    /** The regions of each Write chunk. */
    List<List<MemoryRegion>> writes() {
        return writes;
    }

    /** The regions of the Reply chunk. */
    Optional<List<MemoryRegion>> reply() {
        return reply;
    }

    /** All regions. */
    Stream<MemoryRegion> regions() {
        return Stream.concat(
                reads.values().stream().flatMap(List::stream),
                Stream.concat(
                        writes.stream().flatMap(List::stream), reply.stream().flatMap(List::stream)));
    }

    /** The RPC call, once it has been read. */
    Optional<RpcMessage.Call> call() {
        return call;
    }

    void read(RpcMessage.Call message) {
        call = Optional.of(message);
    }

    /** Records a violation by the responder, to report with its reply. */
    void broken(Rule rule, String what) {
        brokenByResponder.add(new Broken(rule, what));
    }

    /** Reports the responder's violations. */
    void tellBroken(Entry where) {
        brokenByResponder.forEach(each -> where.violation(each.rule(), each.what()));
        brokenByResponder.clear();
    }
}
