// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import static org.emplace.compiler.capture.Timeline.bytes;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.StreamOrder;
import org.emplace.compiler.capture.KnownPrograms.Known;
import org.emplace.compiler.capture.MessageStream.Misplaced;
import org.emplace.compiler.capture.MessageStream.Undecodable;
import org.emplace.compiler.capture.RdmaMessage.Chunk;
import org.emplace.compiler.capture.Timeline.Entry;
import org.emplace.compiler.capture.UnansweredCall.Exposed;
import org.emplace.compiler.model.XdrType;

/** Reads the RPC message of a call or a reply up to its last item, and completes the entry. */
final class MessageReading {
    private final Kind kind;
    private final UnansweredCall call;
    private final RdmaMessage message;
    private final Entry entry;

    private enum Kind {
        CALL("call", "arguments", "Position Zero Read chunk", Rule.LONG_CALLS_ARE_NOMSG),
        REPLY("reply", "results", "Reply chunk", Rule.LONG_REPLIES_ARE_NOMSG);

        private final String name;
        private final String items;
        private final String chunk;
        private final Rule inChunkOnly;

        Kind(String name, String items, String chunk, Rule inChunkOnly) {
            this.name = name;
            this.items = items;
            this.chunk = chunk;
            this.inChunkOnly = inChunkOnly;
        }
    }

    /** @param procedure empty if arguments and results cannot be decoded */
    record Called(UnansweredCall call, String name, Optional<Known> procedure) {}

    private MessageReading(Kind kind, UnansweredCall call, RdmaMessage message, Entry entry) {
        this.kind = kind;
        this.call = call;
        this.message = message;
        this.entry = entry;
    }

    /** Explains a call once its reply was seen: by then all RDMA Reads of its chunks were seen too. */
    static Called ofCall(UnansweredCall call, KnownPrograms programs) {
        return new MessageReading(Kind.CALL, call, call.message(), call.entry()).readCall(programs);
    }

    /** @param isComplete whether the capture has all of the connection so far */
    static void ofReply(Called called, RdmaMessage message, Entry entry, boolean isComplete) {
        new MessageReading(Kind.REPLY, called.call(), message, entry).readReply(called, isComplete);
    }

    private Called readCall(KnownPrograms programs) {
        Called called = new Called(call, "a call that could not be read", Optional.empty());
        ReadList chunks = new ReadList(call);
        boolean isAligned = chunks.checkPositions();
        Optional<Exposed> positionZero = call.reads().stream()
                .filter(read -> read.chunk().position() == 0)
                .findFirst();
        Optional<ByteBuffer> bytes = rpcMessage(positionZero.map(Exposed::chunk), positionZero);
        String heading = "call";
        if (bytes.isPresent()) {
            MessageStream in = new MessageStream(bytes.get(), message.reads());
            try {
                RpcMessage.Call read = RpcMessage.Call.read(in);
                Optional<Known> known = programs.procedure(read);
                called = new Called(call, programs.name(read), known.filter(any -> !mayBeWrapped(read)));
                heading = "call " + called.name();
                checkXid(read.xid());
                read.gss().ifPresent(gss -> entry.note("%s", gss.describe()));
                if (isAligned && called.procedure().isPresent()) {
                    readArguments(called.procedure().get(), in, chunks);
                } else if (isAligned) {
                    entry.note(
                            "arguments are not decoded: %s",
                            known.isPresent()
                                    ? "they are those of RPCSEC_GSS"
                                    : "no given .x file defines the procedure");
                }
            } catch (Undecodable e) {
                report(e, "the RPC header", "this is not an RPC call: ");
            }
        }
        entry.heading("%s, xid 0x%08x", heading, message.xid());
        chunks.describe();
        return called;
    }

    /** Whether arguments and results may be those of RPCSEC_GSS. */
    private static boolean mayBeWrapped(RpcMessage.Call call) {
        return call.gss().filter(gss -> !gss.leavesBodiesAsTheyAre()).isPresent();
    }

    private void readArguments(Known known, MessageStream in, ReadList chunks) {
        checkDirection(call.isBackward() || known.isBackward());
        List<String> names = known.procedure().argumentNames();
        List<StreamOrder<EligibleItem>> items =
                names.stream().map(known.plan().arguments()::member).toList();
        walk(new ItemWalk(known.protocol(), in, chunks), known.procedure().arguments(), items, names, in);
    }

    private void readReply(Called called, boolean isComplete) {
        ReturnedChunks chunks = new ReturnedChunks(call, message, entry);
        boolean fits = chunks.checkSegments();
        checkDirection(call.isBackward());
        Optional<ByteBuffer> bytes = rpcMessage(message.reply(), fits ? Optional.of(call.reply()) : Optional.empty());
        String status = "status unknown";
        if (bytes.isPresent()) {
            MessageStream in = new MessageStream(bytes.get(), List.of());
            try {
                RpcMessage.Reply reply = RpcMessage.Reply.read(in);
                checkXid(reply.xid());
                status = reply.status() + (fits ? readResults(called, reply, in, chunks) : "");
            } catch (Undecodable e) {
                report(e, "the RPC header", "this is not an RPC reply: ");
            }
        }
        entry.heading("reply to %s, xid 0x%08x: %s", called.name(), message.xid(), status);
        if (fits) {
            chunks.describe(isComplete);
        }
    }

    /** Reads the results. @return their status, which follows that of the reply in the heading */
    private String readResults(Called called, RpcMessage.Reply reply, MessageStream in, ReturnedChunks chunks) {
        if (called.procedure().isEmpty()) {
            if (reply.isSuccess() && in.remainingInline() > 0) {
                entry.note("results are not decoded, as the arguments were not");
            }
            return "";
        }
        Known known = called.procedure().get();
        ItemWalk walk = new ItemWalk(known.protocol(), in, chunks);
        List<XdrType> result = List.of(known.procedure().result());
        if (!reply.isSuccess() || walk(walk, result, List.of(known.plan().results()), List.of("result"), in)) {
            chunks.checkUnused();
        }
        return walk.status().map(text -> ", " + text).orElse("");
    }

    /**
     * Finds the RPC message, without its Read chunks; empty if it is missing or incomplete.
     *
     * @param chunk the chunk that may have it instead
     * @param memory the memory of this chunk
     */
    private Optional<ByteBuffer> rpcMessage(Optional<Chunk> chunk, Optional<Exposed> memory) {
        if (message.hasMessage()) {
            Optional<Chunk> second = chunk.filter(each -> kind == Kind.CALL || each.length() > 0);
            if (second.isPresent()) {
                String size = kind == Kind.CALL ? "a" : bytes(second.get().length()) + " in the";
                entry.violation(
                        kind.inChunkOnly,
                        message.type() + " has both an inline message and " + size + " " + kind.chunk);
            }
            return Optional.of(message.inline());
        }
        if (chunk.isEmpty()) {
            entry.violation(kind.inChunkOnly, "a " + kind.name + " without an inline message has no " + kind.chunk);
        }
        return chunk.flatMap(used -> memory.flatMap(each -> each.message(used, entry)));
    }

    private void checkXid(int xid) {
        if (xid != message.xid()) {
            String format = "the header's xid is 0x%08x, that of the RPC %s 0x%08x";
            entry.violation(Rule.ONE_XID, Timeline.text(format, message.xid(), kind.name, xid));
        }
    }

    private void checkDirection(boolean isBackward) {
        boolean hasChunks = !message.reads().isEmpty()
                || !message.writes().isEmpty()
                || message.reply().isPresent();
        if (isBackward && hasChunks) {
            entry.violation(Rule.NO_CHUNKS_BACKWARD);
        }
    }

    /** Walks through items. @return whether they match their definition */
    private boolean walk(
            ItemWalk walk,
            List<XdrType> types,
            List<StreamOrder<EligibleItem>> items,
            List<String> names,
            MessageStream in) {
        try {
            for (int i = 0; i < types.size(); i++) {
                walk.through(types.get(i), items.get(i), names.get(i));
            }
        } catch (Undecodable e) {
            report(e, walk.at(), "the " + kind.items + " are malformed, in " + walk.at() + ": ");
            return false;
        }
        for (long position : in.chunksAhead()) {
            String end = Timeline.text("; the %s end at %,d", kind.items, in.position());
            entry.violation(Rule.POSITION_IS_THAT_OF_AN_ITEM, position, end);
        }
        if (in.remainingInline() > 0) {
            entry.note("%,d bytes follow the %s", in.remainingInline(), kind.items);
        }
        return true;
    }

    private void report(Undecodable e, String where, String what) {
        if (e instanceof Misplaced misplaced) {
            String place = ", in " + where + ", where no eligible item's content begins";
            entry.violation(Rule.POSITION_IS_THAT_OF_AN_ITEM, misplaced.position(), place);
        } else {
            entry.violation(Rule.MESSAGE_IS_DECODABLE, what + e.getMessage());
        }
    }
}
