// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import static org.emplace.compiler.capture.Timeline.bytes;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.capture.MessageStream.Undecodable;
import org.emplace.compiler.capture.Timeline.Entry;

/** The messages of a connection that may carry RPC-over-RDMA. It writes nothing until one looks like it, because the connection may carry another protocol. */
final class Conversation {
    private final KnownPrograms programs;
    private final Timeline timeline;
    private final CapturedEnd first;
    private final CapturedEnd second;
    private Optional<CapturedEnd> client = Optional.empty();
    private boolean isRpc;
    private boolean hasLoss;

    /** @param first the name of the end that sends first in the capture: the client, if the beginning was captured */
    Conversation(KnownPrograms programs, Timeline timeline, String first, String second) {
        this.programs = programs;
        this.timeline = timeline;
        this.first = new CapturedEnd(this, first);
        this.second = new CapturedEnd(this, second);
    }

    CapturedEnd first() {
        return first;
    }

    CapturedEnd second() {
        return second;
    }

    CapturedEnd other(CapturedEnd peer) {
        return peer == first ? second : first;
    }

    void at(long nanoseconds) {
        timeline.at(nanoseconds);
    }

    void setUp(CapturedEnd initiator) {
        client = Optional.of(initiator);
    }

    boolean isRpc() {
        return isRpc;
    }

    /** Records that the capture lacks something. From now on the number of calls in flight is unknown. */
    void lose() {
        hasLoss = true;
    }

    boolean hasLoss() {
        return hasLoss;
    }

    /** Whether the capture has all of the connection so far. */
    boolean isComplete() {
        return first.thresholds().isPresent() && second.thresholds().isPresent() && !hasLoss;
    }

    /** Adds an entry. The first one marks the connection as RPC-over-RDMA. */
    Entry entry(CapturedEnd from, String heading, Object... arguments) {
        if (!isRpc) {
            isRpc = true;
            timeline.count(Timeline.Total.CONNECTIONS);
        }
        Entry entry = timeline.add(from.name(), other(from).name());
        entry.heading(heading, arguments);
        return entry;
    }

    void report(CapturedEnd from, String heading, Object... arguments) {
        entry(from, heading, arguments).settle();
    }

    /** Adds an entry for an event that breaks a rule. */
    void report(CapturedEnd from, String event, Rule rule, Object... arguments) {
        Entry entry = entry(from, "%s", event);
        entry.violation(rule, arguments);
        entry.settle();
    }

    void end() {
        for (CapturedEnd peer : List.of(first, second)) {
            for (UnansweredCall call : peer.callsInFlight().pending()) {
                giveUp(call, "its reply is not in the capture");
            }
        }
    }

    private void giveUp(UnansweredCall call, String why) {
        if (!call.entry().isSettled()) {
            MessageReading.ofCall(call, programs);
            call.entry().note(why);
            call.entry().settle();
        }
    }

    void message(CapturedEnd from, ByteBuffer bytes) {
        if (!isRpc && !RdmaMessage.isLikely(bytes)) {
            return;
        }
        Entry entry = entry(from, "a message that cannot be read");
        RdmaMessage message;
        try {
            message = RdmaMessage.of(bytes);
        } catch (Undecodable e) {
            timeline.count(Timeline.Total.OTHERS);
            boolean isOtherVersion = bytes.remaining() >= 8 && bytes.getInt(4) != RdmaMessage.VERSION;
            entry.violation(
                    isOtherVersion ? Rule.VERSION_IS_ONE : Rule.HEADER_IS_WELL_FORMED, String.valueOf(e.getMessage()));
            entry.settle();
            return;
        }
        checkThreshold(from, bytes.remaining(), entry);
        boolean isCall = isCall(message, from);
        boolean isReply = !isCall && isReply(message);
        entry.line(
                "%s, %s inline, %s%s",
                message.type(),
                bytes(bytes.remaining()),
                isCall ? "asks for " : isReply ? "grants " : "",
                Timeline.count(message.credits(), "credit"));
        if (message.type() == RdmaMessage.Type.RDMA_MSGP) {
            entry.violation(Rule.NO_MSGP);
        }
        if (isCall) {
            call(from, message, entry);
        } else if (isReply) {
            reply(from, message, entry);
        } else {
            other(message, entry);
        }
    }

    /** Checks a message against the inline threshold, which is unknown if the set-up is not in the capture. */
    private void checkThreshold(CapturedEnd from, int length, Entry entry) {
        Optional<CapturedEnd.Thresholds> sender = from.thresholds();
        Optional<CapturedEnd.Thresholds> receiver = other(from).thresholds();
        if (sender.isPresent() && receiver.isPresent()) {
            int most = Math.min(sender.get().send(), receiver.get().receive());
            if (length > most) {
                entry.violation(Rule.MESSAGE_FITS_INLINE, length, most);
            }
        }
    }

    /** Without an inline message, only its Read chunks or its sender tell a call from a reply. */
    private boolean isCall(RdmaMessage message, CapturedEnd from) {
        if (message.hasMessage()) {
            return RpcMessage.is(RpcMessage.CALL, message.inline());
        }
        return message.type() == RdmaMessage.Type.RDMA_NOMSG
                && (!message.reads().isEmpty()
                        || (client.equals(Optional.of(from))
                                && !other(from).callsInFlight().awaits(message.xid())));
    }

    private static boolean isReply(RdmaMessage message) {
        return message.hasMessage()
                ? RpcMessage.is(RpcMessage.REPLY, message.inline())
                : message.type() == RdmaMessage.Type.RDMA_NOMSG || message.type() == RdmaMessage.Type.RDMA_ERROR;
    }

    private void other(RdmaMessage message, Entry entry) {
        timeline.count(Timeline.Total.OTHERS);
        entry.heading("%s, xid 0x%08x", message.type(), message.xid());
        if (message.type() == RdmaMessage.Type.RDMA_DONE) {
            entry.violation(Rule.NO_DONE);
        } else {
            entry.violation(Rule.MESSAGE_IS_DECODABLE, "neither a call nor a reply follows the header");
        }
        entry.settle();
    }

    private void call(CapturedEnd from, RdmaMessage message, Entry entry) {
        timeline.count(Timeline.Total.CALLS);
        boolean isBackward = client.filter(peer -> peer != from).isPresent();
        UnansweredCall call = new UnansweredCall(message, entry, isBackward);
        entry.await(() -> giveUp(call, "no reply has come so far"));
        from.callsInFlight().add(call, this).ifPresent(former -> {
            giveUp(former, "another call has this xid, and no reply came before it");
            from.memory().end(former);
            lose();
        });
        from.memory().expose(call);
    }

    private void reply(CapturedEnd from, RdmaMessage message, Entry entry) {
        timeline.count(Timeline.Total.REPLIES);
        if (!message.reads().isEmpty()) {
            entry.violation(Rule.ONLY_THE_REQUESTER_EXPOSES);
        }
        CapturedEnd caller = other(from);
        Optional<UnansweredCall> pending = caller.callsInFlight().answered(message, entry);
        if (pending.isPresent()) {
            UnansweredCall call = pending.get();
            MessageReading.Called called = MessageReading.ofCall(call, programs);
            call.entry().settle();
            if (message.type() == RdmaMessage.Type.RDMA_ERROR) {
                entry.heading("refusal of %s, xid 0x%08x: %s", called.name(), message.xid(), message.error());
            } else {
                MessageReading.ofReply(called, message, entry, isComplete());
            }
            caller.memory().end(call);
        } else {
            entry.heading("reply to an unknown call, xid 0x%08x", message.xid());
            if (isComplete()) {
                entry.violation(Rule.ONE_XID, "no pending call has this xid");
            } else {
                entry.note("its call is not in the capture");
            }
        }
        entry.settle();
    }
}
