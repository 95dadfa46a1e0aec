// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The back channel of a session: its connections, and its slots, which it makes callbacks by. */
final class BackChannel {
    /** The most recently bound last. They are bound to the fore channel too. */
    final Set<Object> connections = new LinkedHashSet<>();

    /** How each connection is called by a CB_NULL that has no answer yet. */
    final Map<Object, Object> probed = new HashMap<>();

    /** For each slot, the sequence ID of the last callback that the client ran. */
    final int[] sequences;

    /** The callback that occupies each slot. */
    final @Nullable Callback[] inFlight;

    /** How to call the client; the program's own. Null if the server cannot. */
    @Nullable
    Object parameters;

    /** Whether the client has asked for callbacks by this session. */
    boolean isWanted;

    /** Whether server and client disagree on a slot, which they can resolve only by a new session. */
    boolean isFaulty;

    BackChannel(int slots) {
        sequences = new int[slots];
        inFlight = new Callback[slots];
    }

    /** Whether callbacks can be made, as far as the server knows. */
    boolean isUp() {
        return parameters != null && !isFaulty && !connections.isEmpty();
    }

    /** A free slot, or -1. */
    int freeSlot() {
        for (int i = 0; i < inFlight.length; i++) {
            if (inFlight[i] == null) {
                return i;
            }
        }
        return -1;
    }

    int highestInUse() {
        int highest = inFlight.length - 1;
        while (highest > 0 && inFlight[highest] == null) {
            highest--;
        }
        return highest;
    }

    /** Ends the callbacks of a session that is removed. The next conflicting accesses recall these delegations by another session. */
    void abandon() {
        for (int i = 0; i < inFlight.length; i++) {
            @Nullable Callback callback = inFlight[i];
            if (callback != null) {
                if (callback.kind() == Callback.Kind.GETATTR) {
                    callback.delegation.answer(Optional.empty());
                } else {
                    callback.delegation.isRecalling = false;
                }
                inFlight[i] = null;
            }
        }
    }
}
