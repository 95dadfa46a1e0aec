// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.server.state.Sessions.SequenceFlag;
import org.emplace.samples.nfs.server.state.Sessions.SequenceResult;
import org.jspecify.annotations.Nullable;

/** A session: its slots and its connections. */
final class Session {
    /** About what a slot takes without a reply. */
    private static final int SLOT_BYTES = 128;

    final SessionId id;
    final ClientRecord client;
    final ChannelAttributes fore;
    final ChannelAttributes back;

    /** The least recently used first. */
    final Set<Object> connections = new LinkedHashSet<>();

    final BackChannel backChannel;

    /** How many calls are being performed. */
    int calls;

    private final Slot[] slots;

    Session(SessionId id, ClientRecord client, ChannelAttributes fore, ChannelAttributes back) {
        this.id = id;
        this.client = client;
        this.fore = fore;
        this.back = back;
        this.backChannel = new BackChannel((int) back.maxRequests());
        this.slots = new Slot[(int) fore.maxRequests()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot();
        }
    }

    /** What a slot remembers of its last request. */
    static final class Slot {
        /** The sequence ID of the last request that was finished. */
        int sequence;

        @Nullable
        Object fingerprint;

        @Nullable
        Object reply;

        /** The request that is being performed. */
        @Nullable
        SlotCall call;
    }

    /**
     * Binds a connection to the session. If the session then has more than {@code most} connections, unbinds the one that was used least recently: the next
     * SEQUENCE over it binds it again. A call that is processed after its connection has closed binds that connection, which stays until others displace it.
     *
     * @return the connection that was unbound
     */
    Optional<Object> bind(Object connection, int most) {
        connections.remove(connection);
        connections.add(connection);
        if (connections.size() <= most) {
            return Optional.empty();
        }
        Object other = connections.iterator().next();
        connections.remove(other);
        backChannel.connections.remove(other);
        return Optional.of(other);
    }

    /** Whether there is a slot with an unsigned number. */
    boolean hasSlot(int number) {
        return Integer.compareUnsigned(number, slots.length) < 0;
    }

    Slot slot(int number) {
        return slots[number];
    }

    /** The most bytes of its slots and of the replies that they keep. */
    long slotBytes() {
        return bytesPerSlot(fore) * slots.length;
    }

    static long bytesPerSlot(ChannelAttributes fore) {
        return SLOT_BYTES + fore.maxCachedResponse();
    }

    SequenceResult sequenceResult(Grace grace) {
        return new SequenceResult(slots.length - 1, slots.length - 1, flags(grace));
    }

    private Set<SequenceFlag> flags(Grace grace) {
        Set<SequenceFlag> flags = EnumSet.noneOf(SequenceFlag.class);
        if (grace.awaits(client)) {
            flags.add(SequenceFlag.RESTART_RECLAIM_NEEDED);
        }
        if (client.revoked > 0) {
            flags.add(
                    client.allRevoked() == client.states.size()
                            ? SequenceFlag.EXPIRED_ALL_STATE_REVOKED
                            : SequenceFlag.EXPIRED_SOME_STATE_REVOKED);
        }
        if (client.revokedDelegations > 0) {
            flags.add(SequenceFlag.RECALLABLE_STATE_REVOKED);
        }
        if (backChannel.isFaulty) {
            flags.add(SequenceFlag.BACKCHANNEL_FAULT);
        } else if (backChannel.isWanted && backChannel.connections.isEmpty()) {
            flags.add(SequenceFlag.CB_PATH_DOWN_SESSION);
            if (client.sessions.stream().noneMatch(session -> session.backChannel.isUp())) {
                flags.add(SequenceFlag.CB_PATH_DOWN);
            }
        }
        return flags;
    }
}
