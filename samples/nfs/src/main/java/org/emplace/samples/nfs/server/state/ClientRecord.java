// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.server.state.Clients.ClientOwner;
import org.emplace.samples.nfs.server.state.Clients.CreatedSession;

/** A client ID and what it has. */
final class ClientRecord {
    final long id;
    final ClientOwner owner;
    final String principal;
    final Object address;

    /** By which it is known after a restart. */
    final String record;

    final Set<Session> sessions = new HashSet<>();
    final Map<OpenName, OpenState> opens = new HashMap<>();

    /** All states, revoked ones too. */
    final Set<HeldState> states = new HashSet<>();

    boolean isConfirmed;
    boolean hasReclaimed;
    Instant renewed;

    /** How many calls are being performed. */
    int calls;

    /** Delegations to recall as soon as a slot of a back channel is free. */
    final Set<DelegationState> toRecall = new LinkedHashSet<>();

    int locks;

    /** States that were revoked, besides delegations. */
    int revoked;

    int revokedDelegations;

    /** The sequence ID of the last CREATE_SESSION. */
    int sequence;

    Optional<CreatedSession> lastCreated = Optional.empty();

    ClientRecord(long id, ClientOwner owner, CallOrigin origin, Instant now) {
        this.id = id;
        this.owner = owner;
        this.principal = origin.principal();
        this.address = origin.address();
        this.record = RecordedClients.of(owner.name(), origin.principal());
        this.renewed = now;
    }

    /** Whose open of which file. Comparable for the reason why {@link Opaque} is. */
    record OpenName(Opaque owner, FileKey file) implements Comparable<OpenName> {
        private static final Comparator<OpenName> ORDER = Comparator.comparing(OpenName::owner)
                .thenComparingLong(name -> name.file.fileSystem())
                .thenComparing(name -> name.file.id());

        @Override
        public int compareTo(OpenName other) {
            return ORDER.compare(this, other);
        }
    }

    int allRevoked() {
        return revoked + revokedDelegations;
    }

    boolean hasState() {
        return !sessions.isEmpty() || !states.isEmpty();
    }

    @Override
    public String toString() {
        return "client " + Long.toHexString(id) + " of " + address;
    }
}
