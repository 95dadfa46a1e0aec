// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The pending calls of one side, and its limit. */
final class Credits {
    private final Map<Integer, PendingCall> pending = new LinkedHashMap<>();
    private long granted;
    /** The previous grant: calls may have been in transit when it changed. */
    private long grantedBefore;

    private boolean hasLostCount;

    /**
     * Adds a call and reports its violations.
     *
     * @param knowsBeginning whether the capture has the first call
     */
    void call(PendingCall call, boolean knowsBeginning) {
        Entry entry = call.entry();
        if (call.header().credits() == 0) {
            entry.violation(Rule.CREDITS_ARE_NOT_ZERO, "the call asks for no credits");
        }
        if (pending.put(call.header().xid(), call) != null) {
            entry.note("another call with this xid has not been answered");
        }
        long limit = Math.max(granted, grantedBefore);
        if (hasLostCount) {
            return;
        }
        if (granted == 0 && knowsBeginning && pending.size() > 1) {
            entry.violation(
                    Rule.ONE_CALL_BEFORE_THE_FIRST_REPLY,
                    "calls in flight: %d, before the first reply".formatted(pending.size()));
        } else if (granted > 0 && pending.size() > limit) {
            entry.violation(
                    Rule.NO_MORE_CALLS_THAN_GRANTED,
                    "calls in flight: %d; credits granted: %d".formatted(pending.size(), limit));
        }
    }

    /** Removes the call that a message answers. */
    Optional<PendingCall> answered(TransportHeader header, Entry entry) {
        if (header.credits() == 0) {
            entry.violation(Rule.CREDITS_ARE_NOT_ZERO, "the reply grants no credits");
        }
        grantedBefore = granted;
        granted = Math.max(1, header.credits());
        return Optional.ofNullable(pending.remove(header.xid()));
    }

    /** Calls or replies may be missing: from now on the number of calls in flight is unknown. */
    void loseCount() {
        hasLostCount = true;
    }

    boolean awaits(int xid) {
        return pending.containsKey(xid);
    }

    /** Calls without a reply. */
    Iterable<PendingCall> pending() {
        return pending.values();
    }
}
