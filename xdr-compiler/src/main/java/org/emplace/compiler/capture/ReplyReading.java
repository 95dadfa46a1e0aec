// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.emplace.compiler.capture.MessageStream.Misplaced;
import org.emplace.compiler.capture.MessageStream.Undecodable;
import org.emplace.compiler.capture.TransportHeader.Segment;
import org.emplace.compiler.model.XdrType;

/** Explains a reply, and checks it against its call. */
final class ReplyReading {
    private final Definitions definitions;
    private final TransportHeader header;
    private final Entry entry;
    private final PendingCall call;
    private final boolean isComplete;
    private final Map<Integer, String> items = new TreeMap<>();
    private int nextChunk;

    /** @param isComplete whether the capture lacks nothing of the connection */
    ReplyReading(Definitions definitions, PendingCall call, TransportHeader header, Entry entry, boolean isComplete) {
        this.definitions = definitions;
        this.call = call;
        this.header = header;
        this.entry = entry;
        this.isComplete = isComplete;
    }

    /**
     * Fills the entry of a reply.
     *
     * @param inline what follows the header
     */
    void run(ByteBuffer inline) {
        boolean fits = checkChunks();
        Definitions.checkBackward(entry, call.isBackward(), header);
        Optional<ByteBuffer> message = message(inline, fits);
        String status = message.isPresent() ? read(message.get(), fits) : "status unknown";
        String name = call.call().map(definitions::name).orElse("a call that could not be read");
        entry.heading("reply to %s, xid 0x%08x: %s".formatted(name, header.xid(), status));
        if (fits) {
            tellChunks();
        }
    }

    /** Whether the chunks match those of the call. */
    private boolean checkChunks() {
        List<List<Segment>> offered = call.header().writes();
        List<List<Segment>> returned = header.writes();
        boolean fits = offered.size() == returned.size();
        if (!fits) {
            changed("Write chunks: %d in the call, %d in the reply".formatted(offered.size(), returned.size()));
        }
        for (int i = 0; i < Math.min(offered.size(), returned.size()); i++) {
            fits &= isSame("Write chunk " + (i + 1), offered.get(i), returned.get(i));
        }
        if (header.reply().isPresent()) {
            fits &= isSame(
                    "Reply chunk",
                    call.header().reply().orElse(List.of()),
                    header.reply().get());
        }
        return fits;
    }

    private boolean isSame(String chunk, List<Segment> offered, List<Segment> returned) {
        if (offered.size() != returned.size()) {
            changed("segments of %s: %d in the call, %d in the reply"
                    .formatted(chunk, offered.size(), returned.size()));
            return false;
        }
        for (int i = 0; i < offered.size(); i++) {
            if (returned.get(i).length() > offered.get(i).length()) {
                changed("segment %d of %s has room for %,d bytes, but the reply says %,d"
                        .formatted(
                                i + 1,
                                chunk,
                                offered.get(i).length(),
                                returned.get(i).length()));
                return false;
            }
        }
        return true;
    }

    private void changed(String what) {
        entry.violation(Rule.CHUNKS_COME_BACK_AS_THEY_WERE, what);
    }

    private Optional<ByteBuffer> message(ByteBuffer inline, boolean fits) {
        long inReplyChunk = header.reply().map(TransportHeader::length).orElse(0L);
        if (header.hasMessage()) {
            if (inReplyChunk > 0) {
                entry.violation(
                        Rule.LONG_REPLIES_ARE_NOMSG,
                        "%s has both an inline message and %,d bytes in the Reply chunk"
                                .formatted(header.type(), inReplyChunk));
            }
            return Optional.of(inline);
        }
        if (header.reply().isEmpty()) {
            entry.violation(Rule.LONG_REPLIES_ARE_NOMSG, "a reply without an inline message has no Reply chunk");
            return Optional.empty();
        }
        return fits
                ? CallReading.contents(
                        entry,
                        call.reply().orElse(List.of()),
                        header.reply().get().stream().map(Segment::length).toList())
                : Optional.empty();
    }

    private String read(ByteBuffer message, boolean fits) {
        MessageStream in = new MessageStream(message, Map.of());
        try {
            if (!(RpcMessage.of(in) instanceof RpcMessage.Reply reply)) {
                entry.violation(Rule.MESSAGE_IS_DECODABLE, "the message in the Reply chunk is not a reply");
                return "status unknown";
            }
            if (reply.xid() != header.xid()) {
                entry.violation(
                        Rule.ONE_XID,
                        "the header's xid is 0x%08x, that of the RPC reply 0x%08x"
                                .formatted(header.xid(), reply.xid()));
            }
            Optional<String> result = fits ? readResults(reply, in) : Optional.empty();
            return reply.status() + result.map(text -> ", " + text).orElse("");
        } catch (Misplaced | Undecodable e) {
            entry.violation(Rule.MESSAGE_IS_DECODABLE, "this is not an RPC reply: " + e.getMessage());
            return "status unknown";
        }
    }

    /** Reads the results. @return their status */
    private Optional<String> readResults(RpcMessage.Reply reply, MessageStream in) {
        Optional<Definitions.Known> known =
                call.call().filter(read -> !read.isProtected()).flatMap(definitions::procedure);
        if (known.isEmpty()) {
            if (reply.isSuccess() && in.remainingInline() > 0) {
                entry.note("results are not decoded, as the arguments were not");
            }
            return Optional.empty();
        }
        Optional<String> status = Optional.empty();
        if (reply.isSuccess()) {
            XdrType type = known.get().procedure().result();
            ItemWalk walk =
                    new ItemWalk(definitions.protocol(), known.get().plan().results(), in, this::carry);
            try {
                walk.through(type, "result");
                if (in.remainingInline() > 0) {
                    entry.note("%,d bytes follow the results".formatted(in.remainingInline()));
                }
            } catch (Misplaced | Undecodable e) {
                entry.violation(
                        Rule.MESSAGE_IS_DECODABLE,
                        "the results are malformed, in %s: %s".formatted(walk.at(), e.getMessage()));
                nextChunk = header.writes().size();
            }
            status = walk.status();
        }
        for (int i = nextChunk; i < header.writes().size(); i++) {
            if (TransportHeader.length(header.writes().get(i)) > 0) {
                entry.violation(
                        Rule.UNUSED_CHUNKS_ARE_EMPTY,
                        "Write chunk %d comes back with a length, but has no result".formatted(i + 1));
            }
        }
        return status;
    }

    private boolean carry(String item, boolean isEligible, long length, MessageStream in) {
        if (!isEligible || nextChunk == header.writes().size()) {
            return false;
        }
        int chunk = nextChunk++;
        long returned = TransportHeader.length(header.writes().get(chunk));
        long room = TransportHeader.length(call.header().writes().get(chunk));
        if (returned == 0 && length != 0) {
            if (room > 0 && room >= length) {
                entry.violation(
                        Rule.RESULTS_GO_BY_THE_WRITE_LIST,
                        "%s is inline, but Write chunk %d has room for it".formatted(item, chunk + 1));
            }
            return false;
        }
        items.put(chunk, item);
        if (length >= 0 && returned != length && returned != MessageStream.padded(length)) {
            entry.violation(
                    Rule.COUNT_IS_THAT_OF_THE_CHUNK,
                    "%s has %,d bytes by its count, but %,d in Write chunk %d"
                            .formatted(item, length, returned, chunk + 1));
        }
        in.advance(returned);
        return true;
    }

    private void tellChunks() {
        for (int i = 0; i < header.writes().size(); i++) {
            tellChunk(
                    "Write chunk " + (i + 1),
                    items.getOrDefault(
                            i, TransportHeader.length(header.writes().get(i)) == 0 ? "nothing" : "an unknown item"),
                    header.writes().get(i),
                    call.writes().get(i));
        }
        if (header.reply().isPresent()) {
            List<Segment> chunk = header.reply().get();
            tellChunk(
                    "Reply chunk",
                    TransportHeader.length(chunk) == 0 ? "nothing" : "the reply itself",
                    chunk,
                    call.reply().orElse(List.of()));
        }
    }

    private void tellChunk(String chunk, String content, List<Segment> returned, List<MemoryRegion> regions) {
        long room = regions.stream().mapToLong(each -> each.segment().length()).sum();
        entry.line("%s <- %s, %,d of %,d bytes".formatted(chunk, content, TransportHeader.length(returned), room));
        for (int i = 0; i < returned.size(); i++) {
            MemoryRegion region = regions.get(i);
            long length = returned.get(i).length();
            entry.detail("handle 0x%08x, %,d of %,d bytes; %,d written by %d RDMA Write%s"
                    .formatted(
                            region.segment().handle(),
                            length,
                            region.segment().length(),
                            region.moved(),
                            region.operations(),
                            region.operations() == 1 ? "" : "s"));
            if (isComplete && !region.hasFirst(length)) {
                entry.violation(
                        Rule.LENGTHS_ARE_WHAT_WAS_WRITTEN,
                        "segment %d of %s comes back with %,d bytes, but %,d were written before the reply"
                                .formatted(i + 1, chunk, length, region.moved()));
            }
        }
    }
}
