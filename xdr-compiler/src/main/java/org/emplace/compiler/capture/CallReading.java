// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.compiler.capture.MessageStream.Misplaced;
import org.emplace.compiler.capture.MessageStream.Undecodable;
import org.emplace.compiler.capture.TransportHeader.Segment;

/** Explains a call once its reply has come: by then all RDMA Reads of its chunks were seen. */
final class CallReading {
    private final Definitions definitions;
    private final PendingCall call;
    private final TransportHeader header;
    private final Entry entry;
    private final Map<Long, String> items = new LinkedHashMap<>();

    private CallReading(Definitions definitions, PendingCall call) {
        this.definitions = definitions;
        this.call = call;
        this.header = call.header();
        this.entry = call.entry();
    }

    /** Completes the entry of a call. */
    static void complete(Definitions definitions, PendingCall call) {
        new CallReading(definitions, call).run();
    }

    private void run() {
        String what = "call";
        boolean hasMisaligned = checkPositions();
        Optional<ByteBuffer> message = message();
        if (message.isPresent()) {
            what = read(message.get(), hasMisaligned);
        }
        entry.heading("%s, xid 0x%08x".formatted(what, header.xid()));
        call.reads().forEach(this::tellReadChunk);
        for (int i = 0; i < header.writes().size(); i++) {
            List<Segment> chunk = header.writes().get(i);
            entry.line("Write chunk %d: room for %,d bytes".formatted(i + 1, TransportHeader.length(chunk)));
            chunk.forEach(segment -> entry.detail(segment.toString()));
        }
        header.reply().ifPresent(chunk -> {
            entry.line("Reply chunk: room for %,d bytes".formatted(TransportHeader.length(chunk)));
            chunk.forEach(segment -> entry.detail(segment.toString()));
        });
    }

    private boolean checkPositions() {
        boolean hasMisaligned = false;
        for (long position : call.reads().keySet()) {
            if (position % 4 != 0) {
                hasMisaligned = true;
                entry.violation(
                        Rule.POSITION_IS_ALIGNED,
                        "the position %,d of a Read chunk is not a multiple of four".formatted(position));
            }
        }
        return hasMisaligned;
    }

    /** The RPC message, without its chunks; empty if it is missing or incomplete. */
    private Optional<ByteBuffer> message() {
        List<MemoryRegion> positionZero = call.reads().getOrDefault(0L, List.of());
        if (header.hasMessage()) {
            if (!positionZero.isEmpty()) {
                entry.violation(
                        Rule.LONG_CALLS_ARE_NOMSG,
                        header.type() + " has both an inline message and a Position Zero Read chunk");
            }
            return Optional.of(call.inline());
        }
        if (positionZero.isEmpty()) {
            entry.violation(
                    Rule.LONG_CALLS_ARE_NOMSG, "a call without an inline message has no Position Zero Read chunk");
            return Optional.empty();
        }
        return contents(
                entry,
                positionZero,
                positionZero.stream().map(each -> each.segment().length()).toList());
    }

    /** The bytes moved by a chunk that holds a message; empty, with a note, if some were not seen. */
    static Optional<ByteBuffer> contents(Entry entry, List<MemoryRegion> regions, List<Long> lengths) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < regions.size(); i++) {
            long length = lengths.get(i);
            if (!regions.get(i).hasFirst(length)) {
                entry.note(
                        "the message is not decoded, because it is in a chunk of which the capture has only %,d of %,d bytes"
                                .formatted(
                                        regions.stream()
                                                .mapToLong(MemoryRegion::moved)
                                                .sum(),
                                        lengths.stream()
                                                .mapToLong(Long::longValue)
                                                .sum()));
                return Optional.empty();
            }
            all.writeBytes(regions.get(i).content(length).array());
        }
        return Optional.of(ByteBuffer.wrap(all.toByteArray()));
    }

    /** Reads the message. @return a short description */
    private String read(ByteBuffer message, boolean hasMisaligned) {
        Map<Long, Long> holes = new LinkedHashMap<>();
        header.readChunks().forEach((position, chunk) -> holes.put(position, TransportHeader.length(chunk)));
        holes.remove(0L);
        MessageStream in = new MessageStream(message, holes);
        try {
            if (!(RpcMessage.of(in) instanceof RpcMessage.Call read)) {
                entry.violation(Rule.MESSAGE_IS_DECODABLE, "the message in the Position Zero Read chunk is not a call");
                return "call";
            }
            call.read(read);
            if (read.xid() != header.xid()) {
                entry.violation(
                        Rule.ONE_XID,
                        "the header's xid is 0x%08x, that of the RPC call 0x%08x".formatted(header.xid(), read.xid()));
            }
            if (!hasMisaligned) {
                readArguments(read, in);
            }
            return "call " + definitions.name(read);
        } catch (Misplaced e) {
            misplaced(e.position(), "the RPC header");
        } catch (Undecodable e) {
            entry.violation(Rule.MESSAGE_IS_DECODABLE, "this is not an RPC call: " + e.getMessage());
        }
        return "call";
    }

    private void readArguments(RpcMessage.Call read, MessageStream in) {
        Optional<Definitions.Known> known = definitions.procedure(read);
        if (known.isEmpty() || read.isProtected()) {
            String reason =
                    known.isEmpty() ? "no given .x file defines the procedure" : "RPCSEC_GSS may have wrapped them";
            entry.note("arguments are not decoded: " + reason);
            return;
        }
        Definitions.Known procedure = known.get();
        Definitions.checkBackward(entry, call.isBackward() || procedure.isBackward(), header);
        ItemWalk walk = new ItemWalk(definitions.protocol(), procedure.plan().arguments(), in, this::carry);
        try {
            for (int i = 0; i < procedure.procedure().arguments().size(); i++) {
                walk.through(
                        procedure.procedure().arguments().get(i),
                        procedure.procedure().argumentNames().get(i));
            }
            for (long position : in.chunksAhead()) {
                entry.violation(
                        Rule.POSITION_IS_THAT_OF_AN_ITEM,
                        "a Read chunk has the position %,d; the arguments end at %,d"
                                .formatted(position, in.position()));
            }
            if (in.remainingInline() > 0) {
                entry.note("%,d bytes follow the arguments".formatted(in.remainingInline()));
            }
        } catch (Misplaced e) {
            misplaced(e.position(), walk.at());
        } catch (Undecodable e) {
            entry.violation(
                    Rule.MESSAGE_IS_DECODABLE,
                    "the arguments are malformed, in %s: %s".formatted(walk.at(), e.getMessage()));
        }
    }

    private void misplaced(long position, String where) {
        entry.violation(
                Rule.POSITION_IS_THAT_OF_AN_ITEM,
                "a Read chunk has the position %,d, in %s, where no eligible item's content begins"
                        .formatted(position, where));
    }

    private boolean carry(String item, boolean isEligible, long length, MessageStream in) {
        if (length == 0 || !in.isAtChunk()) {
            return false;
        }
        long position = in.position();
        long chunk = in.skipChunk();
        items.put(position, item);
        if (!isEligible) {
            entry.violation(
                    Rule.ELIGIBLE_ITEMS_ONLY,
                    "a Read chunk carries %s, which the binding does not make eligible here".formatted(item));
        }
        if (length >= 0 && chunk != length && chunk != MessageStream.padded(length)) {
            entry.violation(
                    Rule.COUNT_IS_THAT_OF_THE_CHUNK,
                    "%s has %,d bytes by its count, but %,d in its Read chunk".formatted(item, length, chunk));
        }
        return true;
    }

    private void tellReadChunk(long position, List<MemoryRegion> regions) {
        long length =
                regions.stream().mapToLong(each -> each.segment().length()).sum();
        if (position == 0) {
            entry.line("Position Zero Read chunk -> the call itself, %,d bytes".formatted(length));
        } else {
            entry.line("Read chunk at position %,d -> %s, %,d bytes"
                    .formatted(position, items.getOrDefault(position, "an unknown item"), length));
        }
        regions.forEach(region -> entry.detail("%s; %,d read by %d RDMA Read%s"
                .formatted(
                        region.segment(), region.moved(), region.operations(), region.operations() == 1 ? "" : "s")));
    }
}
