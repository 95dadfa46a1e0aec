// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.state.TestedState.ASKED;
import static org.emplace.samples.nfs.server.state.TestedState.FILE;
import static org.emplace.samples.nfs.server.state.TestedState.LEASE;
import static org.emplace.samples.nfs.server.state.TestedState.assertStatus;
import static org.emplace.samples.nfs.server.state.TestedState.file;
import static org.emplace.samples.nfs.server.state.TestedState.opaque;
import static org.emplace.samples.nfs.server.state.TestedState.owner;

import org.emplace.samples.nfs.server.state.ClientRecord.OpenName;
import org.emplace.samples.nfs.server.state.Clients.ClientIdentity;
import org.emplace.samples.nfs.server.state.Clients.CreatedSession;
import org.emplace.samples.nfs.server.state.Locks.Granted;
import org.emplace.samples.nfs.server.state.Locks.Wanted;
import org.emplace.samples.nfs.server.state.Opens.Share;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.emplace.samples.nfs.server.state.StateLimits.Bounds;
import org.emplace.samples.nfs.server.state.TestedState.Peer;
import org.junit.jupiter.api.Test;

/** What is remembered is bounded, and the expired make room. */
class StateLimitsTest {
    private static final ChannelAttributes BACK = StateLimits.STANDARD.back();

    private static final Bounds AMPLE = new Bounds(100, 100, 100, 1 << 20);

    private static TestedState limited(Bounds inAll, Bounds perAddress, int statesPerClient, int locksPerClient) {
        return new TestedState(
                new StateLimits(LEASE, inAll, perAddress, 3, 2, statesPerClient, locksPerClient, ASKED, BACK));
    }

    private static TestedState limitedClients(int clients, int perAddress) {
        return limited(new Bounds(clients, 9, 9, 1 << 20), new Bounds(perAddress, 9, 9, 1 << 20), 9, 9);
    }

    private static ClientIdentity exchange(TestedState state, String name, String address) throws StateException {
        return state.table
                .clients()
                .exchangeId(owner(name, "verifier"), false, new CallOrigin(name, address, "connection"));
    }

    @Test
    void clientsAreBoundedInAll() throws StateException {
        TestedState state = limitedClients(2, 2);
        exchange(state, "first", "192.0.2.1");
        state.pass(LEASE);
        exchange(state, "second", "192.0.2.2");
        assertStatus(Status.DELAY, () -> exchange(state, "third", "192.0.2.3"));
        state.pass(LEASE.dividedBy(2));
        ClientIdentity third = exchange(state, "third", "192.0.2.3");
        assertStatus(Status.DELAY, () -> exchange(state, "first", "192.0.2.1"));
        state.table.clients().destroy(third.clientId());
        exchange(state, "first", "192.0.2.1");
    }

    /** Else each look for one of them would pass all others, while all of the state waits. */
    @Test
    void namesThatAClientChoosesAreInOrderEvenIfTheyHaveOneHashCode() {
        Opaque one = opaque("AaAa");
        Opaque other = opaque("BBBB");
        assertThat(one).hasSameHashCodeAs(other).isNotEqualTo(other);
        assertThat(one).isLessThan(other);
        assertThat(new OpenName(one, FILE))
                .hasSameHashCodeAs(new OpenName(other, FILE))
                .isLessThan(new OpenName(other, FILE));
        assertThat(new OpenName(one, FILE)).isLessThan(new OpenName(one, file("other")));
    }

    @Test
    void clientsAreBoundedPerAddress() throws StateException {
        TestedState state = limitedClients(10, 2);
        exchange(state, "elsewhere", "192.0.2.2");
        state.pass(LEASE.plusSeconds(1));
        ClientIdentity first = exchange(state, "first", "192.0.2.1");
        exchange(state, "second", "192.0.2.1");
        assertStatus(Status.DELAY, () -> exchange(state, "third", "192.0.2.1"));
        state.expireAll();
        exchange(state, "third", "192.0.2.1");
        exchange(state, "fourth", "192.0.2.1");
        assertStatus(Status.STALE_CLIENTID, () -> state.table.clients().destroy(first.clientId()));
        assertStatus(Status.DELAY, () -> exchange(state, "fifth", "192.0.2.1"));
    }

    @Test
    void aClientThatIsReplacedMakesRoomForItself() throws StateException {
        TestedState state = limitedClients(1, 1);
        for (int i = 0; i < 5; i++) {
            exchange(state, "client", "192.0.2.1");
        }
    }

    @Test
    void sessionsAreBoundedPerClient() throws StateException {
        TestedState state = limitedClients(10, 10);
        ClientIdentity client = state.exchange("client");
        CreatedSession first = state.create(client, 1, "client");
        state.create(client, 2, "client");
        state.create(client, 3, "client");
        assertStatus(Status.NOSPC, () -> state.create(client, 4, "client"));
        state.table.sessions().destroy(first.id(), "connection of client", null);
        state.create(client, 4, "client");
    }

    @Test
    void connectionsAreBoundedPerSession() throws StateException {
        TestedState state = limitedClients(10, 10);
        Peer peer = state.peer("client");
        SessionId id = peer.session.id();
        Sessions sessions = state.table.sessions();
        sessions.bind(id, "second");
        ((SlotCall) sessions.sequence(peer.request(0, 1, ""), peer.connection)).finishUncached();
        sessions.bind(id, "third");
        assertStatus(Status.CONN_NOT_BOUND_TO_SESSION, () -> sessions.destroy(id, "second", null));
        sessions.destroy(id, peer.connection, null);
    }

    /** Slots of 1,000 bytes, of which 872 are for the reply, out of 34,000: a session gets at most a sixteenth of what is left, but at least one slot. */
    @Test
    void repliesAreBoundedInAll() throws StateException {
        TestedState state = limited(new Bounds(100, 9, 9, 34_000), AMPLE, 9, 9);
        assertThat(state.peer("first").session.fore().maxRequests()).isEqualTo(2);
        for (int i = 0; i < 31; i++) {
            assertThat(state.peer("client " + i).session.fore().maxRequests()).isEqualTo(i == 0 ? 2 : 1);
        }
        assertStatus(Status.DELAY, () -> state.peer("last"));
        state.expireAll();
        state.peer("last");
    }

    @Test
    void statesAreBoundedPerClient() throws StateException {
        TestedState state = limited(AMPLE, AMPLE, 2, 9);
        Peer peer = state.peer("client");
        StateId open = peer.open(FILE, Share.BOTH, Share.NONE);
        StateId second = peer.open(file("second"), Share.BOTH, Share.NONE);
        assertStatus(Status.NOSPC, () -> peer.open(file("third"), Share.READ, Share.NONE));
        peer.open(FILE, Share.READ, Share.NONE);
        Wanted wanted = new Wanted(FILE, ByteRange.of(0, 1), true);
        StateId latest = new StateId(0, open.instance(), open.number());
        assertStatus(Status.NOSPC, () -> state.table.locks().lock(peer.id, latest, opaque("owner"), wanted));
        state.table.opens().close(peer.id, file("second"), second);
        state.table.locks().lock(peer.id, latest, opaque("owner"), wanted);
        state.table.opens().close(peer.id, FILE, latest);
        peer.open(file("second"), Share.READ, Share.NONE);
        peer.open(file("third"), Share.READ, Share.NONE);
    }

    @Test
    void statesAreBoundedInAll() throws StateException {
        TestedState state = limited(new Bounds(9, 2, 9, 1 << 20), AMPLE, 9, 9);
        Peer first = state.peer("first");
        Peer second = state.peer("second");
        first.open(FILE, Share.READ, Share.NONE);
        first.open(file("second"), Share.READ, Share.NONE);
        assertStatus(Status.DELAY, () -> second.open(FILE, Share.READ, Share.NONE));
        state.expireAll();
        second.open(FILE, Share.READ, Share.NONE);
        assertStatus(Status.BADSESSION, first::renew);
        assertThat(state.table.opens().isOpen(file("second"))).isFalse();
    }

    /** Clients of one address cannot take all. */
    @Test
    void statesAreBoundedPerAddress() throws StateException {
        TestedState state = limited(AMPLE, new Bounds(9, 2, 9, 1 << 20), 9, 9);
        Peer elsewhere = state.peer("elsewhere", "192.0.2.2");
        elsewhere.open(FILE, Share.READ, Share.NONE);
        state.expireAll();
        Peer first = state.peer("first");
        first.open(FILE, Share.READ, Share.NONE);
        StateId open = first.open(file("second"), Share.READ, Share.NONE);
        Peer second = state.peer("second");
        assertStatus(Status.DELAY, () -> second.open(FILE, Share.READ, Share.NONE));
        state.table.opens().close(first.id, file("second"), open);
        second.open(FILE, Share.READ, Share.NONE);
        elsewhere.renew();
        elsewhere.open(file("second"), Share.READ, Share.NONE);
    }

    /** The client that needs room does not lose its own state, however long its call takes. */
    @Test
    void theAskerMakesNoRoomForItself() throws StateException {
        TestedState state = limited(new Bounds(9, 1, 9, 1 << 20), AMPLE, 9, 9);
        Peer peer = state.peer("client");
        peer.open(FILE, Share.READ, Share.NONE);
        state.table.sessions().sequence(peer.request(0, 1, ""), peer.connection);
        state.expireAll();
        assertStatus(Status.DELAY, () -> peer.open(file("second"), Share.READ, Share.NONE));
        assertThat(state.table.opens().isOpen(FILE)).isTrue();
    }

    /** Those of the expired make room. */
    @Test
    void opensOfAFileAreBounded() throws StateException {
        TestedState state = new TestedState();
        Peer first = state.peer("first");
        for (int i = 0; i < 1024; i++) {
            first.open("owner " + i, FILE, Share.READ, Share.NONE);
        }
        Peer second = state.peer("second");
        assertStatus(Status.NOSPC, () -> second.open(FILE, Share.READ, Share.NONE));
        state.expireAll();
        second.open(FILE, Share.READ, Share.NONE);
    }

    @Test
    void lockOwnersOfAFileAreBounded() throws StateException {
        TestedState state = new TestedState();
        Locks locks = state.table.locks();
        Peer peer = state.peer("client");
        StateId open = peer.open(FILE, Share.READ, Share.NONE);
        Wanted wanted = new Wanted(FILE, ByteRange.of(0, 1), false);
        for (int i = 0; i < 1024; i++) {
            locks.lock(peer.id, open, opaque("owner " + i), wanted);
        }
        assertStatus(Status.NOSPC, () -> locks.lock(peer.id, open, opaque("last"), wanted));
        state.table.opens().close(peer.id, FILE, open);
        StateId again = peer.open(FILE, Share.READ, Share.NONE);
        assertThat(locks.lock(peer.id, again, opaque("last"), wanted)).isInstanceOf(Granted.class);
    }

    @Test
    void locksAreBounded() throws StateException {
        TestedState state = limited(new Bounds(9, 9, 8, 1 << 20), AMPLE, 9, 4);
        Locks locks = state.table.locks();
        Peer first = state.peer("first");
        Peer second = state.peer("second");
        Peer third = state.peer("third");
        StateId lock = fill(locks, first);
        assertStatus(
                Status.SERVERFAULT, () -> locks.lock(first.id, lock, new Wanted(FILE, ByteRange.of(90, 1), false)));
        fill(locks, second);
        StateId open = third.open(FILE, Share.READ, Share.NONE);
        Wanted wanted = new Wanted(FILE, ByteRange.of(0, 1), false);
        assertThat(locks.lock(third.id, open, opaque("owner"), wanted)).isInstanceOf(Granted.class);
        StateId unlocked = locks.unlock(first.id, lock, FILE, ByteRange.of(0, -1));
        locks.lock(first.id, unlocked, wanted);
    }

    @Test
    void unlockingDoesNotSplitALockIntoTooMany() throws StateException {
        TestedState state = limited(AMPLE, AMPLE, 9, 4);
        Locks locks = state.table.locks();
        Peer peer = state.peer("client");
        StateId open = peer.open(FILE, Share.READ, Share.NONE);
        StateId id = ((Granted)
                        locks.lock(peer.id, open, opaque("owner"), new Wanted(FILE, ByteRange.of(0, -1), false)))
                .stateId();
        StateId lock = new StateId(0, id.instance(), id.number());
        locks.unlock(peer.id, lock, FILE, ByteRange.of(10, 1));
        locks.unlock(peer.id, lock, FILE, ByteRange.of(20, 1));
        assertStatus(Status.SERVERFAULT, () -> locks.unlock(peer.id, lock, FILE, ByteRange.of(30, 1)));
        locks.unlock(peer.id, lock, FILE, ByteRange.of(30, -1));
        locks.unlock(peer.id, lock, FILE, ByteRange.of(0, 11));
        locks.unlock(peer.id, lock, FILE, ByteRange.of(25, 1));
    }

    /** Locks as many ranges as a client may have without a doubt: it has to have room for two more. */
    private static StateId fill(Locks locks, Peer peer) throws StateException {
        StateId id = peer.open(FILE, Share.READ, Share.NONE);
        id = ((Granted) locks.lock(peer.id, id, opaque("owner"), new Wanted(FILE, ByteRange.of(0, 1), false)))
                .stateId();
        for (int i = 1; i < 3; i++) {
            id = ((Granted) locks.lock(peer.id, id, new Wanted(FILE, ByteRange.of(10L * i, 1), false))).stateId();
        }
        return id;
    }
}
