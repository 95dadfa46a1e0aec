// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.Optional;

/**
 * A callback that recalls a delegation, or asks its holder for attributes (CB_SEQUENCE and CB_RECALL or CB_GETATTR, RFC 8881 sections 20.9, 20.2 and
 * 20.1). It occupies a slot of a session's back channel until {@link #answered}, which whoever sends it calls exactly once.
 */
public final class Callback {
    final Session session;
    final DelegationState delegation;
    private final BackChannels channels;
    private final Kind kind;
    private final Object connection;
    private final Object parameters;
    private final int slot;
    private final int sequence;
    private final int highestSlot;
    private final StateId stateId;

    /** Set when there was no answer and no other connection. */
    boolean isLost;

    /** Occupies a slot. */
    Callback(
            BackChannels channels,
            Session session,
            Object connection,
            Object parameters,
            int slot,
            Kind kind,
            DelegationState delegation,
            StateId stateId) {
        BackChannel channel = session.backChannel;
        this.channels = channels;
        this.session = session;
        this.connection = connection;
        this.parameters = parameters;
        this.slot = slot;
        this.kind = kind;
        this.sequence = channel.sequences[slot] + 1;
        this.delegation = delegation;
        this.stateId = stateId;
        channel.inFlight[slot] = this;
        this.highestSlot = channel.highestInUse();
    }

    /** Makes callbacks over connections. */
    @FunctionalInterface
    public interface Sender {
        /** Sends a callback, without waiting for its answer. Must not throw. */
        void send(Callback callback);
    }

    /** What the client is asked for. */
    public enum Kind {
        RECALL,
        GETATTR
    }

    /** What the holder of a write delegation says of its file. The change attribute is the one it got with the delegation, unless it has changed the file since. */
    public record HeldAttributes(long change, long size) {}

    /** What became of a callback. */
    public enum Outcome {
        /** The client will return the delegation, or has told attributes. */
        ACCEPTED,
        /** The client ran CB_SEQUENCE, and the other operation failed. The next conflicting access recalls the delegation again. */
        REFUSED,
        /** The client did not run CB_SEQUENCE, but may later. The next conflicting access recalls the delegation again. */
        POSTPONED,
        /** The client rejected CB_SEQUENCE: server and client disagree on the slot. The back channel is not used any more. */
        MISORDERED,
        /** There is no answer. The connection makes no more callbacks until it is bound again, and another one sends this one again. */
        UNANSWERED
    }

    /** Its session. */
    public SessionId session() {
        return session.id;
    }

    /** The number of its slot. */
    public int slot() {
        return slot;
    }

    /** The highest slot in use. */
    public int highestSlot() {
        return highestSlot;
    }

    /** The sequence ID in its slot. */
    public int sequence() {
        return sequence;
    }

    /** The connection to use: one that {@link BackChannels#bind} got. */
    public Object connection() {
        return connection;
    }

    /** How to call: what {@link BackChannels#configure} got. */
    public Object parameters() {
        return parameters;
    }

    public Kind kind() {
        return kind;
    }

    /** The delegation to recall. */
    public StateId stateId() {
        return stateId;
    }

    /** The filehandle by which the client got the delegation. */
    public Opaque handle() {
        return delegation.handle;
    }

    /** Ends the callback, and sends others that waited for its slot. */
    public void answered(Outcome outcome) {
        answered(outcome, Optional.empty());
    }

    /** Like {@link #answered(Outcome)}, with the attributes that the client tells. */
    public void answered(Outcome outcome, Optional<HeldAttributes> attributes) {
        channels.answered(this, outcome, attributes);
    }
}
