// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.emplace.samples.nfs.server.state.Clients.ClientIdentity;
import org.emplace.samples.nfs.server.state.Clients.ClientOwner;
import org.emplace.samples.nfs.server.state.Clients.CreatedSession;
import org.emplace.samples.nfs.server.state.Clients.SessionRequest;
import org.emplace.samples.nfs.server.state.Sessions.SequenceRequest;
import org.emplace.samples.nfs.server.state.Sessions.SequenceResult;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.emplace.samples.nfs.server.store.FileId;

/** The state of a server whose clock stands still unless a test moves it, and clients of it. */
final class TestedState {
    static final Duration LEASE = Duration.ofSeconds(90);
    static final ChannelAttributes ASKED = new ChannelAttributes(8192, 8192, 872, 16, 4);
    static final FileKey FILE = file("file");

    static final Duration GRACE = Duration.ofSeconds(60);

    final StateTable table;

    /** Callbacks that were made, and not answered unless the test does. */
    final List<Callback> callbacks = new ArrayList<>();

    private Instant now = Instant.EPOCH;

    /** @param stored the records, before and after */
    TestedState(StateLimits limits, StoredRecords stored) {
        table = new StateTable(limits, new RecordedClients(stored.names, stored), GRACE, () -> now, callbacks::add);
    }

    TestedState(StoredRecords stored) {
        this(StateLimits.STANDARD.withLease(LEASE), stored);
    }

    TestedState(StateLimits limits) {
        this(limits, new StoredRecords());
    }

    TestedState() {
        this(new StoredRecords());
    }

    /** What a crash of the server leaves. */
    static final class StoredRecords implements RecordedClients.Storage {
        final Set<String> names = new HashSet<>();

        /** Whether it fails. */
        boolean isBroken;

        /** What it waits for. */
        CountDownLatch isSlow = new CountDownLatch(0);

        /** Ends when it waits. */
        final CountDownLatch begun = new CountDownLatch(1);

        @Override
        public boolean change(Set<String> added, Set<String> removed) {
            if (isSlow.getCount() > 0) {
                begun.countDown();
                try {
                    isSlow.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            if (isBroken) {
                return removed.isEmpty();
            }
            names.addAll(added);
            names.removeAll(removed);
            return true;
        }
    }

    static FileKey file(String name) {
        return new FileKey(1, new FileId(name.getBytes(StandardCharsets.UTF_8)));
    }

    static Opaque opaque(String text) {
        return new Opaque(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Lets time pass. */
    void pass(Duration time) {
        now = now.plus(time);
    }

    void expireAll() {
        pass(LEASE.plusSeconds(1));
    }

    static CallOrigin origin(String principal) {
        return new CallOrigin(principal, "192.0.2.1", "connection of " + principal);
    }

    static ClientOwner owner(String name, String verifier) {
        return new ClientOwner(opaque(name), opaque(verifier));
    }

    ClientIdentity exchange(String name) throws StateException {
        return table.clients().exchangeId(owner(name, "verifier"), false, origin(name));
    }

    CreatedSession create(ClientIdentity client, int sequence, String principal) throws StateException {
        return table.clients()
                .createSession(
                        new SessionRequest(client.clientId(), sequence, ASKED, StateLimits.STANDARD.back()),
                        origin(principal));
    }

    /** A client that may open files, once nobody may reclaim any more. */
    Peer peer(String name) throws StateException {
        return peer(name, "192.0.2.1");
    }

    Peer peer(String name, String address) throws StateException {
        Peer peer = reclaimingPeer(name, address);
        table.clients().reclaimComplete(peer.id);
        return peer;
    }

    /** A client that may reclaim, if it is recorded. */
    Peer reclaimingPeer(String name) throws StateException {
        return reclaimingPeer(name, "192.0.2.1");
    }

    private Peer reclaimingPeer(String name, String address) throws StateException {
        ClientIdentity client = table.clients()
                .exchangeId(owner(name, "verifier"), false, new CallOrigin(name, address, "connection of " + name));
        CreatedSession session = create(client, client.sequence(), name);
        return new Peer(client.clientId(), session, "connection of " + name);
    }

    static void assertStatus(Status status, ThrowingCallable call) {
        StateException failure = catchThrowableOfType(StateException.class, call);
        assertThat(failure).isNotNull();
        assertThat(failure.status()).isEqualTo(status);
    }

    /** A client with a session. */
    final class Peer {
        final long id;
        final CreatedSession session;
        final String connection;
        private int sequence;

        Peer(long id, CreatedSession session, String connection) {
            this.id = id;
            this.session = session;
            this.connection = connection;
        }

        SequenceRequest request(int slot, int number, Object fingerprint) {
            return new SequenceRequest(session.id(), number, slot, slot, 2, 100, fingerprint);
        }

        /** A call that does nothing but renew the lease, in the last slot. */
        SequenceResult renew() throws StateException {
            SlotCall call = (SlotCall) table.sessions().sequence(request(3, ++sequence, ""), connection);
            call.finishUncached();
            return call.result();
        }

        StateId open(FileKey file, int access, int deny) throws StateException {
            return open("owner", file, access, deny);
        }

        StateId open(String owner, FileKey file, int access, int deny) throws StateException {
            return table.opens()
                    .open(id, opaque(owner), file, new Opens.Share(access, deny))
                    .stateId();
        }
    }
}
