// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.emplace.compiler.capture.Timeline.Entry;

/** The pending calls of one side, and the limit on their number. */
final class CallsInFlight {
    private final Map<Integer, UnansweredCall> pending = new LinkedHashMap<>();
    private long granted;
    /** The previous grant: calls may have been in transit when it changed. */
    private long grantedBefore;

    /** Adds a call. @return the pending call with the same xid, if any */
    Optional<UnansweredCall> add(UnansweredCall call, Conversation conversation) {
        Entry entry = call.entry();
        if (call.message().credits() == 0) {
            entry.violation(Rule.CREDITS_ARE_NOT_ZERO, "call asks for");
        }
        Optional<UnansweredCall> former =
                Optional.ofNullable(pending.put(call.message().xid(), call));
        if (former.isPresent()) {
            entry.note("another call with this xid has not been answered");
        }
        long limit = Math.max(granted, grantedBefore);
        if (granted == 0 && conversation.isComplete() && pending.size() > 1) {
            entry.violation(Rule.ONE_CALL_BEFORE_THE_FIRST_REPLY, pending.size());
        } else if (granted > 0 && !conversation.hasLoss() && pending.size() > limit) {
            entry.violation(Rule.NO_MORE_CALLS_THAN_GRANTED, pending.size(), limit);
        }
        return former;
    }

    /** Removes the call that a message answers. */
    Optional<UnansweredCall> answered(RdmaMessage message, Entry entry) {
        if (message.credits() == 0) {
            entry.violation(Rule.CREDITS_ARE_NOT_ZERO, "reply grants");
        }
        grantedBefore = granted;
        granted = Math.max(1, message.credits());
        return Optional.ofNullable(pending.remove(message.xid()));
    }

    boolean awaits(int xid) {
        return pending.containsKey(xid);
    }

    /** Calls without a reply. */
    Iterable<UnansweredCall> pending() {
        return pending.values();
    }
}
