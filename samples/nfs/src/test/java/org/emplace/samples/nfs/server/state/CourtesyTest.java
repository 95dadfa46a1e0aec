// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.state.TestedState.FILE;
import static org.emplace.samples.nfs.server.state.TestedState.LEASE;
import static org.emplace.samples.nfs.server.state.TestedState.assertStatus;
import static org.emplace.samples.nfs.server.state.TestedState.file;
import static org.emplace.samples.nfs.server.state.TestedState.opaque;

import org.emplace.samples.nfs.server.state.Locks.Denied;
import org.emplace.samples.nfs.server.state.Locks.Granted;
import org.emplace.samples.nfs.server.state.Locks.Wanted;
import org.emplace.samples.nfs.server.state.Opens.Share;
import org.emplace.samples.nfs.server.state.Sessions.SequenceFlag;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.emplace.samples.nfs.server.state.TestedState.Peer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that is silent for longer than the lease keeps what it has until somebody wants it. */
class CourtesyTest {
    private final TestedState state = new TestedState();
    private final Opens opens = state.table.opens();
    private final Locks locks = state.table.locks();
    private final StateIds stateIds = state.table.stateIds();
    private Peer away;
    private Peer here;

    @BeforeEach
    void connect() throws StateException {
        away = state.peer("away");
        here = state.peer("here");
    }

    private void expireAway() throws StateException {
        state.expireAll();
        here.renew();
    }

    private static Wanted all(FileKey file) throws StateException {
        return new Wanted(file, ByteRange.of(0, -1), true);
    }

    private StateId lockAll(Peer peer, StateId open) throws StateException {
        return ((Granted) locks.lock(peer.id, open, opaque("owner"), all(FILE))).stateId();
    }

    @Test
    void whatNobodyWantsStays() throws StateException {
        StateId open = away.open(FILE, Share.BOTH, Share.BOTH);
        StateId lock = lockAll(away, open);
        expireAway();
        state.expireAll();
        here.renew();
        assertThat(opens.isOpen(FILE)).isTrue();
        assertThat(away.renew().flags()).isEmpty();
        locks.unlock(away.id, lock, FILE, ByteRange.of(0, 1));
        opens.close(away.id, FILE, open);
    }

    @Test
    void sequenceRenewsTheLease() throws StateException {
        away.open(FILE, Share.BOTH, Share.BOTH);
        for (int i = 0; i < 5; i++) {
            state.pass(LEASE);
            away.renew();
            assertStatus(Status.SHARE_DENIED, () -> here.open(FILE, Share.READ, Share.NONE));
            assertStatus(Status.LOCKED, () -> opens.checkRead(FILE));
        }
        state.expireAll();
        opens.checkRead(FILE);
    }

    @Test
    void aCallThatTakesLongKeepsTheLease() throws StateException {
        away.open(FILE, Share.BOTH, Share.BOTH);
        SlotCall call = (SlotCall) state.table.sessions().sequence(away.request(0, 1, ""), away.connection);
        state.expireAll();
        assertStatus(Status.SHARE_DENIED, () -> here.open(FILE, Share.READ, Share.NONE));
        call.finish("reply");
        assertStatus(Status.SHARE_DENIED, () -> here.open(FILE, Share.READ, Share.NONE));
    }

    @Test
    void anOpenGivesWayToAnother() throws StateException {
        StateId open = away.open(FILE, Share.READ, Share.WRITE);
        StateId lock = ((Granted)
                        locks.lock(away.id, open, opaque("owner"), new Wanted(FILE, ByteRange.of(0, 1), false)))
                .stateId();
        StateId kept = away.open(file("another"), Share.READ, Share.NONE);
        expireAway();
        here.open(FILE, Share.WRITE, Share.NONE);
        assertStatus(Status.EXPIRED, () -> opens.checkRead(away.id, FILE, open));
        assertStatus(Status.EXPIRED, () -> opens.close(away.id, FILE, open));
        assertStatus(Status.EXPIRED, () -> opens.checkRead(away.id, FILE, lock));
        opens.checkRead(away.id, file("another"), kept);
        assertThat(stateIds.test(away.id, open)).contains(Status.EXPIRED);
        assertThat(away.renew().flags()).containsExactly(SequenceFlag.EXPIRED_SOME_STATE_REVOKED);
        stateIds.free(away.id, open);
        assertThat(away.renew().flags()).containsExactly(SequenceFlag.EXPIRED_SOME_STATE_REVOKED);
        stateIds.free(away.id, lock);
        assertThat(away.renew().flags()).isEmpty();
        assertStatus(Status.BAD_STATEID, () -> stateIds.free(away.id, lock));
        assertThat(away.open(FILE, Share.READ, Share.NONE).seqid()).isEqualTo(1);
    }

    @Test
    void anOpenGivesWayToIoWithoutOne() throws StateException {
        StateId open = away.open(FILE, Share.READ, Share.BOTH);
        expireAway();
        opens.checkWrite(FILE);
        assertThat(away.renew().flags()).containsExactly(SequenceFlag.EXPIRED_ALL_STATE_REVOKED);
        assertThat(stateIds.test(away.id, open)).contains(Status.EXPIRED);
    }

    @Test
    void aLockGivesWayToAnother() throws StateException {
        StateId open = away.open(FILE, Share.BOTH, Share.NONE);
        StateId lock = lockAll(away, open);
        StateId hereOpen = here.open(FILE, Share.BOTH, Share.NONE);
        assertThat(locks.lock(here.id, hereOpen, opaque("owner"), all(FILE))).isInstanceOf(Denied.class);
        expireAway();
        assertThat(locks.test(here.id, opaque("owner"), all(FILE))).isEmpty();
        assertThat(stateIds.test(away.id, lock)).isEmpty();
        lockAll(here, hereOpen);
        assertThat(stateIds.test(away.id, lock)).contains(Status.EXPIRED);
        assertThat(stateIds.test(away.id, open)).isEmpty();
        assertThat(away.renew().flags()).containsExactly(SequenceFlag.EXPIRED_SOME_STATE_REVOKED);
        assertThat(locks.lock(away.id, open, opaque("owner"), all(FILE)))
                .isEqualTo(new Denied(ByteRange.of(0, -1), true, here.id, opaque("owner")));
    }

    /** One that is alive is enough to deny; the expired one loses nothing then. */
    @Test
    void nothingIsRevokedForARequestThatFails() throws StateException {
        StateId open = away.open(FILE, Share.READ, Share.WRITE);
        expireAway();
        Peer third = state.peer("third");
        third.open(FILE, Share.READ, Share.WRITE);
        assertStatus(Status.SHARE_DENIED, () -> here.open(FILE, Share.WRITE, Share.NONE));
        opens.checkRead(away.id, FILE, open);
    }
}
