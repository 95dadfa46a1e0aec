// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.emplace.compiler.capture.RdmaEvent.Side;
import org.emplace.compiler.capture.RdmaEvent.Thresholds;

/** The RPC-over-RDMA messages between two ends of a connection. Writes nothing until a message looks like one: the connection may carry another protocol. */
final class Conversation implements RdmaEvent.Sink {
    private static final int DEFAULT_THRESHOLD = 1024;
    private static final int CALL = 0;
    private static final int REPLY = 1;

    private final Definitions definitions;
    private final Timeline timeline;
    private final Map<Side, Object> names;
    private final Map<Side, Optional<Thresholds>> thresholds = new EnumMap<>(Side.class);
    private final Map<Side, Credits> credits = new EnumMap<>(Side.class);
    private final Map<Side, ExposedMemory> memory = new EnumMap<>(Side.class);
    /** Regions whose violation has been reported. */
    private final Set<MemoryRegion> told = new HashSet<>();

    private Optional<Side> client = Optional.empty();
    private boolean isRpc;
    private boolean hasLoss;
    private long calls;
    private long replies;
    private long others;

    /**
     * Begins without knowing what the connection carries.
     *
     * @param first names one end; it is asked anew each time
     */
    Conversation(Definitions definitions, Timeline timeline, Object first, Object second) {
        this.definitions = definitions;
        this.timeline = timeline;
        names = Map.of(Side.FIRST, first, Side.SECOND, second);
        for (Side side : Side.values()) {
            credits.put(side, new Credits());
            memory.put(side, new ExposedMemory());
        }
    }

    @Override
    public void happened(long nanoseconds, Side side, RdmaEvent event) {
        if (event instanceof RdmaEvent.Setup setup) {
            setup(nanoseconds, side, setup);
        } else if (event instanceof RdmaEvent.Send send) {
            message(nanoseconds, side, send.bytes());
        } else if (event instanceof RdmaEvent.Loss loss) {
            loss(nanoseconds, side, loss.text());
        } else if (!isRpc) {
            return;
        } else if (event instanceof RdmaEvent.Write write) {
            Optional<MemoryRegion> region =
                    access(nanoseconds, side, write.handle(), write.offset(), write.length(), false);
            region.ifPresent(each -> {
                each.moved(write.offset(), write.length(), write.data());
                if (write.isLast()) {
                    each.count();
                }
            });
        } else if (event instanceof RdmaEvent.ReadRequest read) {
            access(nanoseconds, side, read.handle(), read.offset(), read.length(), true)
                    .ifPresent(MemoryRegion::count);
        } else if (event instanceof RdmaEvent.ReadResponse read) {
            memoryOf(side)
                    .at(read.handle(), read.offset())
                    .ifPresent(region -> region.moved(read.offset(), read.length(), read.data()));
        } else if (event instanceof RdmaEvent.Remark remark) {
            entry(nanoseconds, side, remark.text()).settle();
        }
    }

    private void loss(long nanoseconds, Side side, String what) {
        hasLoss = true;
        credits.values().forEach(Credits::loseCount);
        if (isRpc) {
            entry(nanoseconds, side, "gap: " + what).settle();
        }
    }

    /** Ends the conversation. */
    void end() {
        for (Side side : Side.values()) {
            for (PendingCall call : creditsOf(side).pending()) {
                if (!call.entry().isSettled()) {
                    CallReading.complete(definitions, call);
                    call.tellBroken(call.entry());
                    call.entry().note("its reply is not in the capture");
                    call.entry().settle();
                    memoryOf(side).end(call);
                }
            }
        }
    }

    boolean isRpc() {
        return isRpc;
    }

    long calls() {
        return calls;
    }

    long replies() {
        return replies;
    }

    /** Messages that are neither calls nor replies. */
    long others() {
        return others;
    }

    private Credits creditsOf(Side side) {
        return Objects.requireNonNull(credits.get(side));
    }

    private ExposedMemory memoryOf(Side side) {
        return Objects.requireNonNull(memory.get(side));
    }

    private Entry entry(long nanoseconds, Side from, String heading) {
        Entry entry =
                timeline.add(nanoseconds, String.valueOf(names.get(from)), String.valueOf(names.get(from.other())));
        entry.heading(heading);
        return entry;
    }

    private boolean knowsBeginning() {
        return thresholds.size() == Side.values().length && !hasLoss;
    }

    private void setup(long nanoseconds, Side side, RdmaEvent.Setup setup) {
        client = Optional.of(setup.isRequest() ? side : side.other());
        Optional<Thresholds> said = Thresholds.in(setup.privateData());
        thresholds.put(side, said);
        if (said.isPresent()) {
            isRpc = true;
            entry(
                            nanoseconds,
                            side,
                            "set-up: sends up to %,d bytes inline, receives up to %,d"
                                    .formatted(said.get().send(), said.get().receive()))
                    .settle();
        }
    }

    /** What a side may send inline; empty if the set-up is not in the capture. */
    private Optional<Integer> threshold(Side from) {
        Optional<Thresholds> sender = thresholds.get(from);
        Optional<Thresholds> receiver = thresholds.get(from.other());
        if (sender == null || receiver == null) {
            return Optional.empty();
        }
        return Optional.of(Math.min(
                sender.map(Thresholds::send).orElse(DEFAULT_THRESHOLD),
                receiver.map(Thresholds::receive).orElse(DEFAULT_THRESHOLD)));
    }

    private void message(long nanoseconds, Side from, ByteBuffer bytes) {
        isRpc |= TransportHeader.isLikely(bytes);
        if (!isRpc) {
            return;
        }
        Entry entry = entry(nanoseconds, from, "a message that cannot be read");
        TransportHeader header;
        try {
            header = TransportHeader.of(bytes);
        } catch (TransportHeader.Malformed e) {
            others++;
            boolean isOtherVersion = bytes.remaining() >= 8 && bytes.getInt(4) != TransportHeader.VERSION;
            entry.violation(
                    isOtherVersion ? Rule.VERSION_IS_ONE : Rule.HEADER_IS_WELL_FORMED, String.valueOf(e.getMessage()));
            entry.settle();
            return;
        }
        ByteBuffer inline = bytes.slice(header.length(), bytes.remaining() - header.length());
        threshold(from)
                .filter(most -> bytes.remaining() > most)
                .ifPresent(most -> entry.violation(
                        Rule.MESSAGE_FITS_INLINE,
                        "the message has %,d bytes, but at most %,d may be sent inline"
                                .formatted(bytes.remaining(), most)));
        boolean isCall = isCall(header, inline, from);
        boolean isReply = !isCall && isReply(header, inline);
        String credits = isCall ? "asks for %,d credits" : isReply ? "grants %,d credits" : "credits %,d";
        entry.line("%s, %,d bytes inline, %s"
                .formatted(header.type(), bytes.remaining(), credits.formatted(header.credits())));
        if (header.type() == TransportHeader.Type.RDMA_MSGP) {
            entry.violation(Rule.NO_MSGP, "RDMA_MSGP is no longer sent");
        }
        if (isCall) {
            call(from, header, inline, entry);
        } else if (isReply) {
            reply(from, header, inline, entry);
        } else {
            other(header, entry);
        }
    }

    private boolean isCall(TransportHeader header, ByteBuffer inline, Side from) {
        if (header.hasMessage()) {
            return inline.remaining() >= 8 && inline.getInt(4) == CALL;
        }
        return header.type() == TransportHeader.Type.RDMA_NOMSG
                && (!header.reads().isEmpty()
                        || (client.equals(Optional.of(from))
                                && !creditsOf(from.other()).awaits(header.xid())));
    }

    private static boolean isReply(TransportHeader header, ByteBuffer inline) {
        if (header.hasMessage()) {
            return inline.remaining() >= 8 && inline.getInt(4) == REPLY;
        }
        return header.type() == TransportHeader.Type.RDMA_NOMSG || header.type() == TransportHeader.Type.RDMA_ERROR;
    }

    private void other(TransportHeader header, Entry entry) {
        others++;
        entry.heading("%s, xid 0x%08x".formatted(header.type(), header.xid()));
        if (header.type() == TransportHeader.Type.RDMA_DONE) {
            entry.violation(Rule.NO_DONE, "RDMA_DONE is no longer sent");
        } else {
            entry.violation(Rule.MESSAGE_IS_DECODABLE, "neither a call nor a reply follows the header");
        }
        entry.settle();
    }

    private void call(Side from, TransportHeader header, ByteBuffer inline, Entry entry) {
        calls++;
        boolean isBackward = client.filter(side -> side != from).isPresent();
        entry.heading("call, xid 0x%08x".formatted(header.xid()));
        PendingCall call = new PendingCall(header, inline, entry, isBackward);
        creditsOf(from).call(call, knowsBeginning());
        memoryOf(from).expose(call);
    }

    private void reply(Side from, TransportHeader header, ByteBuffer inline, Entry entry) {
        replies++;
        Side caller = from.other();
        if (!header.reads().isEmpty()) {
            entry.violation(Rule.ONLY_THE_REQUESTER_EXPOSES, "a reply has a Read list");
        }
        Optional<PendingCall> known = creditsOf(caller).answered(header, entry);
        if (known.isEmpty()) {
            entry.heading("reply to an unknown call, xid 0x%08x".formatted(header.xid()));
            if (knowsBeginning()) {
                entry.violation(Rule.ONE_XID, "no pending call has this xid");
            } else {
                entry.note("its call is not in the capture");
            }
        } else {
            PendingCall call = known.get();
            CallReading.complete(definitions, call);
            call.entry().settle();
            if (header.type() == TransportHeader.Type.RDMA_ERROR) {
                String name = call.call().map(definitions::name).orElse("a call that could not be read");
                entry.heading("refusal of %s, xid 0x%08x: %s".formatted(name, header.xid(), header.error()));
            } else {
                new ReplyReading(definitions, call, header, entry, knowsBeginning()).run(inline);
            }
            call.tellBroken(entry);
            memoryOf(caller).end(call);
        }
        entry.settle();
    }

    /**
     * Checks an access to the other side's memory.
     *
     * @return the region that it begins in, if exposed for such an access
     */
    private Optional<MemoryRegion> access(
            long nanoseconds, Side from, int handle, long offset, long length, boolean isRead) {
        if (length == 0) {
            return Optional.empty();
        }
        Supplier<String> what = () -> "an RDMA %s of %,d bytes at handle 0x%08x, offset 0x%x"
                .formatted(isRead ? "Read" : "Write", length, handle, offset);
        ExposedMemory exposed = memoryOf(from.other());
        Optional<MemoryRegion> begin = exposed.at(handle, offset);
        if (begin.isPresent()) {
            MemoryRegion region = begin.get();
            if (region.isForReading() != isRead) {
                breach(region, what, " goes to a segment of a " + (isRead ? "Write or Reply chunk" : "Read chunk"));
                return Optional.empty();
            }
            long excess = region.excess(offset, length);
            if (excess > 0) {
                breach(region, what, " goes %,d bytes beyond its segment".formatted(excess));
            }
            return begin;
        }
        Optional<MemoryRegion> former = exposed.formerAt(handle, offset);
        Optional<MemoryRegion> sameHandle = exposed.of(handle);
        if (former.isPresent() && !hasLoss && told.add(former.get())) {
            Entry entry = entry(nanoseconds, from, what.get());
            entry.violation(
                    isRead ? Rule.READS_END_WITH_THE_REPLY : Rule.WRITES_COME_BEFORE_THE_REPLY,
                    "the memory belongs to the answered call with xid 0x%08x"
                            .formatted(former.get().call().header().xid()));
            entry.settle();
        } else if (former.isEmpty() && sameHandle.isPresent() && knowsBeginning()) {
            breach(sameHandle.get(), what, " is outside the segment with this handle");
        } else if (former.isEmpty() && knowsBeginning()) {
            Entry entry = entry(nanoseconds, from, what.get());
            entry.violation(Rule.ACCESS_STAYS_IN_ITS_SEGMENT, "no call has exposed this memory");
            entry.settle();
        }
        return Optional.empty();
    }

    private void breach(MemoryRegion region, Supplier<String> access, String how) {
        if (told.add(region)) {
            region.call().broken(Rule.ACCESS_STAYS_IN_ITS_SEGMENT, access.get() + how);
        }
    }
}
