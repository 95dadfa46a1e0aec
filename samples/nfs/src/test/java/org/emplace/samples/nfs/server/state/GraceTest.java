// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.state.TestedState.FILE;
import static org.emplace.samples.nfs.server.state.TestedState.GRACE;
import static org.emplace.samples.nfs.server.state.TestedState.assertStatus;
import static org.emplace.samples.nfs.server.state.TestedState.file;
import static org.emplace.samples.nfs.server.state.TestedState.opaque;
import static org.emplace.samples.nfs.server.state.TestedState.origin;
import static org.emplace.samples.nfs.server.state.TestedState.owner;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.emplace.samples.nfs.server.state.Clients.ClientIdentity;
import org.emplace.samples.nfs.server.state.Locks.Denied;
import org.emplace.samples.nfs.server.state.Locks.Granted;
import org.emplace.samples.nfs.server.state.Locks.LockResult;
import org.emplace.samples.nfs.server.state.Locks.Wanted;
import org.emplace.samples.nfs.server.state.Opens.Share;
import org.emplace.samples.nfs.server.state.Sessions.SequenceFlag;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.emplace.samples.nfs.server.state.TestedState.Peer;
import org.emplace.samples.nfs.server.state.TestedState.StoredRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients reclaim after a restart of the server, and what others get meanwhile (RFC 8881 sections 8.4.2 and 8.4.3). */
class GraceTest {
    private final StoredRecords stored = new StoredRecords();
    private TestedState state = new TestedState(stored);

    /** Ends the server without a word, and starts it again. What was not stored is lost. */
    private void restart() {
        state = new TestedState(stored);
    }

    private Peer peer(String name) throws StateException {
        return state.peer(name);
    }

    /** A client that may reclaim after a restart, because it has opened a file of its own. */
    private Peer holder(String name) throws StateException {
        Peer peer = peer(name);
        peer.open(file("of " + name), Share.READ, Share.NONE);
        return peer;
    }

    /** A client of before, which comes back after a restart. */
    private Peer back(String name) throws StateException {
        return state.reclaimingPeer(name);
    }

    private StateId reclaim(Peer peer, FileKey file, int access, int deny) throws StateException {
        return state.table
                .opens()
                .reclaim(peer.id, opaque("owner"), file, new Share(access, deny))
                .stateId();
    }

    private LockResult lock(Peer peer, StateId open, boolean isReclaim) throws StateException {
        Wanted all = new Wanted(FILE, ByteRange.of(0, -1), true, isReclaim);
        return state.table.locks().lock(peer.id, open, opaque("owner"), all);
    }

    private void complete(Peer peer) throws StateException {
        state.table.clients().reclaimComplete(peer.id);
    }

    @Test
    void aLockIsReclaimedAndNobodyElseGetsIt() throws StateException {
        Peer holder = peer("holder");
        lock(holder, holder.open(FILE, Share.BOTH, Share.NONE), false);
        restart();
        Peer other = peer("other");
        assertStatus(Status.GRACE, () -> other.open(FILE, Share.BOTH, Share.NONE));
        assertStatus(Status.STALE_CLIENTID, () -> reclaim(holder, FILE, Share.BOTH, Share.NONE));
        assertStatus(
                Status.BADSESSION, () -> state.table.sessions().sequence(holder.request(0, 1, ""), holder.connection));
        Peer again = back("holder");
        StateId open = reclaim(again, FILE, Share.BOTH, Share.NONE);
        assertThat(lock(again, open, true)).isInstanceOf(Granted.class);
        complete(again);
        StateId otherOpen = other.open(FILE, Share.BOTH, Share.NONE);
        assertThat(lock(other, otherOpen, false)).isInstanceOf(Denied.class);
    }

    @Test
    void nothingButReclaimsIsGrantedMeanwhile() throws StateException {
        holder("holder");
        holder("second");
        restart();
        Peer again = back("holder");
        StateId open = reclaim(again, FILE, Share.BOTH, Share.NONE);
        Opens opens = state.table.opens();
        Wanted wanted = new Wanted(FILE, ByteRange.of(0, 1), false);
        for (int i = 0; i < 2; i++) {
            assertStatus(Status.GRACE, () -> again.open(FILE, Share.READ, Share.NONE));
            assertStatus(Status.GRACE, () -> opens.requireRoom(again.id));
            assertStatus(Status.GRACE, () -> lock(again, open, false));
            assertStatus(Status.GRACE, () -> state.table.locks().test(again.id, opaque("other"), wanted));
            assertStatus(Status.GRACE, () -> opens.checkRead(again.id, FILE, StateId.ANONYMOUS));
            assertStatus(Status.GRACE, () -> opens.checkWrite(again.id, FILE, StateId.ANONYMOUS));
            assertStatus(Status.GRACE, state.table::requireGraceOver);
            opens.checkRead(again.id, FILE, StateId.READ_BYPASS);
            opens.checkRead(again.id, FILE, open);
            opens.checkWrite(again.id, FILE, open);
            if (i == 0) {
                complete(again); // the second client is still awaited
            }
        }
        opens.close(again.id, FILE, open);
        complete(back("second"));
        state.table.requireGraceOver();
    }

    @Test
    void graceEndsAfterItsTime() throws StateException {
        holder("away");
        restart();
        Peer other = peer("other");
        state.pass(GRACE);
        assertStatus(Status.GRACE, () -> other.open(FILE, Share.READ, Share.NONE));
        state.pass(Duration.ofMillis(1));
        other.open(FILE, Share.READ, Share.NONE);
        Peer away = back("away");
        assertStatus(Status.NO_GRACE, () -> reclaim(away, file("another"), Share.READ, Share.NONE));
    }

    /** Whoever did not come back in time may not reclaim after a second restart: others may have had its locks in between (the second edge condition). */
    @Test
    void whoMissedAGraceCannotReclaimInTheNext() throws StateException {
        holder("away");
        restart();
        Peer other = peer("other");
        state.pass(GRACE.plusSeconds(1));
        other.open(FILE, Share.BOTH, Share.BOTH);
        restart();
        Peer away = back("away");
        assertStatus(Status.NO_GRACE, () -> reclaim(away, FILE, Share.BOTH, Share.NONE));
        reclaim(back("other"), FILE, Share.BOTH, Share.BOTH);
    }

    /** Nobody got anything before the second restart. */
    @Test
    void aRestartDuringGraceLosesNothing() throws StateException {
        holder("first");
        holder("second");
        restart();
        complete(back("first"));
        peer("new");
        restart();
        reclaim(back("first"), FILE, Share.READ, Share.NONE);
        reclaim(back("second"), FILE, Share.READ, Share.NONE);
    }

    /** The first edge condition: its lease expired, and another client had its lock. */
    @Test
    void whoseLockWasTakenCannotReclaimIt() throws StateException {
        Peer holder = peer("holder");
        StateId open = holder.open(FILE, Share.BOTH, Share.NONE);
        lock(holder, open, false);
        Peer other = peer("other");
        StateId otherOpen = other.open(FILE, Share.BOTH, Share.NONE);
        state.expireAll();
        other.renew();
        StateId taken = ((Granted) lock(other, otherOpen, false)).stateId();
        state.table.locks().unlock(other.id, taken, FILE, ByteRange.of(0, -1));
        restart();
        Peer again = back("holder");
        assertStatus(Status.NO_GRACE, () -> reclaim(again, FILE, Share.BOTH, Share.NONE));
        reclaim(back("other"), FILE, Share.BOTH, Share.NONE);
    }

    @Test
    void whoKnowsWhatItLostMayReclaimTheRest() throws StateException {
        Peer holder = peer("holder");
        StateId lost = holder.open(FILE, Share.READ, Share.WRITE);
        holder.open(file("kept"), Share.READ, Share.NONE);
        Peer other = peer("other");
        state.expireAll();
        other.renew();
        other.open(FILE, Share.WRITE, Share.NONE);
        state.table.stateIds().free(holder.id, lost);
        restart();
        reclaim(back("holder"), file("kept"), Share.READ, Share.NONE);
    }

    @Test
    void aClientWhoseLeaseExpiredKeepsItsRecordWhileNobodyWantsWhatItHolds() throws StateException {
        peer("silent").open(FILE, Share.BOTH, Share.BOTH);
        state.expireAll();
        peer("other").open(file("another"), Share.READ, Share.NONE);
        restart();
        reclaim(back("silent"), FILE, Share.BOTH, Share.BOTH);
    }

    @Test
    void onlyRecordedClientsReclaim() throws StateException {
        holder("known");
        back("withoutReclaimComplete");
        peer("withoutOpens");
        restart();
        Peer unknown = back("withoutOpens");
        assertStatus(Status.NO_GRACE, () -> reclaim(unknown, FILE, Share.READ, Share.NONE));
        Peer incomplete = back("withoutReclaimComplete");
        assertStatus(Status.NO_GRACE, () -> reclaim(incomplete, FILE, Share.READ, Share.NONE));
        // The same name, and another principal.
        Clients clients = state.table.clients();
        ClientIdentity stranger = clients.exchangeId(owner("known", "verifier"), false, origin("stranger"));
        state.create(stranger, stranger.sequence(), "stranger");
        assertStatus(
                Status.NO_GRACE,
                () -> state.table
                        .opens()
                        .reclaim(stranger.clientId(), opaque("owner"), FILE, new Share(Share.READ, Share.NONE)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nobodyReclaimsAfterReclaimComplete(boolean isRecorded) throws StateException {
        holder("awaited");
        if (isRecorded) {
            holder("client");
        }
        restart();
        Peer again = peer("client");
        assertStatus(Status.NO_GRACE, () -> reclaim(again, FILE, Share.READ, Share.NONE));
        assertStatus(Status.COMPLETE_ALREADY, () -> complete(again));
    }

    @Test
    void withoutRecordsThereIsNoGrace() throws StateException {
        Peer first = back("first");
        assertStatus(Status.NO_GRACE, () -> reclaim(first, FILE, Share.READ, Share.NONE));
        complete(first);
        StateId open = first.open(FILE, Share.BOTH, Share.NONE);
        assertStatus(Status.NO_GRACE, () -> lock(first, open, true));
        assertThat(lock(first, open, false)).isInstanceOf(Granted.class);
    }

    @Test
    void reclaimsThatContradictEachOtherFail() throws StateException {
        holder("first");
        holder("second");
        restart();
        Peer first = back("first");
        Peer second = back("second");
        StateId open = reclaim(first, FILE, Share.BOTH, Share.NONE);
        lock(first, open, true);
        assertStatus(Status.RECLAIM_CONFLICT, () -> reclaim(second, FILE, Share.BOTH, Share.WRITE));
        StateId other = reclaim(second, FILE, Share.BOTH, Share.NONE);
        assertStatus(Status.RECLAIM_CONFLICT, () -> lock(second, other, true));
    }

    @Test
    void sequenceTellsWhoHasToReclaim() throws StateException {
        holder("first");
        holder("second");
        restart();
        Peer first = back("first");
        assertThat(first.renew().flags()).containsExactly(SequenceFlag.RESTART_RECLAIM_NEEDED);
        assertThat(peer("new").renew().flags()).isEmpty();
        complete(first);
        assertThat(first.renew().flags()).isEmpty();
        Peer second = back("second");
        assertThat(second.renew().flags()).containsExactly(SequenceFlag.RESTART_RECLAIM_NEEDED);
        state.pass(GRACE.plusSeconds(1));
        assertThat(second.renew().flags()).isEmpty();
    }

    @Test
    void whoLeavesIsForgotten() throws StateException {
        Peer left = peer("left");
        StateId open = left.open(FILE, Share.READ, Share.NONE);
        holder("right");
        assertThat(stored.names).hasSize(2);
        state.table.opens().close(left.id, FILE, open);
        state.table.sessions().destroy(left.session.id(), left.connection, null);
        state.table.clients().destroy(left.id);
        assertThat(stored.names).hasSize(1);
        // One that restarts itself has nothing to reclaim until it has got something.
        ClientIdentity again = state.table.clients().exchangeId(owner("right", "starting"), false, origin("right"));
        assertThat(stored.names).hasSize(1);
        state.create(again, again.sequence(), "right");
        assertThat(stored.names).isEmpty();
    }

    @Test
    void leavingEndsTheWait() throws StateException {
        holder("leaving");
        restart();
        Peer other = peer("other");
        Peer leaving = back("leaving");
        state.table.sessions().destroy(leaving.session.id(), leaving.connection, null);
        state.table.clients().destroy(leaving.id);
        other.open(FILE, Share.READ, Share.NONE);
    }

    /** A client ID that is not confirmed ends without a trace. */
    @Test
    void anUnconfirmedClientDoesNotCostAnotherItsRecord() throws StateException {
        holder("client");
        restart();
        state.exchange("client");
        state.table.clients().exchangeId(owner("client", "starting"), false, origin("client"));
        reclaim(back("client"), FILE, Share.READ, Share.NONE);
    }

    /** Nobody gets what a client could still reclaim, and everybody else goes on. */
    @Test
    void aRecordThatCannotBeRemovedKeepsWhatItsClientHolds() throws StateException {
        Peer holder = peer("holder");
        holder.open(FILE, Share.BOTH, Share.BOTH);
        Peer other = holder("other");
        state.expireAll();
        other.renew();
        stored.isBroken = true;
        assertStatus(Status.DELAY, () -> other.open(FILE, Share.READ, Share.NONE));
        assertStatus(Status.DELAY, () -> other.open(FILE, Share.READ, Share.NONE));
        other.open(file("another"), Share.READ, Share.NONE);
        assertThat(stored.names).hasSize(2);
        stored.isBroken = false;
        other.open(FILE, Share.READ, Share.NONE);
        assertThat(stored.names).hasSize(1);
    }

    @Test
    void aClientThatCannotBeRecordedIsServed() throws StateException {
        stored.isBroken = true;
        holder("client");
        assertThat(stored.names).isEmpty();
        stored.isBroken = false;
        restart();
        Peer again = back("client");
        assertStatus(Status.NO_GRACE, () -> reclaim(again, FILE, Share.READ, Share.NONE));
    }

    @Test
    void recordsAreBounded() throws StateException {
        for (int i = 1; i < RecordedClients.MOST; i++) {
            stored.names.add("record " + i);
        }
        RecordedClients records = new RecordedClients(stored.names, stored);
        assertStatus(Status.DELAY, () -> records.requireRecorded("the last"));
        stored.names.add("the last");
        new RecordedClients(stored.names, stored).requireRecorded("one more");

        restart();
        Peer peer = peer("one more");
        state.pass(GRACE.plusSeconds(1));
        peer.renew();
        peer.open(FILE, Share.READ, Share.NONE);
        assertThat(stored.names).hasSize(1);
    }

    /** A slow disk keeps nobody waiting but those whose records it stores. */
    @Test
    void onlyWhoNeedsARecordWaitsForTheDisk() throws Exception {
        Peer recorded = holder("recorded");
        Peer second = peer("new");
        stored.isSlow = new CountDownLatch(1);
        CompletableFuture<StateId> first = CompletableFuture.supplyAsync(() -> {
            try {
                return second.open(FILE, Share.READ, Share.NONE);
            } catch (StateException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(stored.begun.await(20, TimeUnit.SECONDS)).isTrue();
        recorded.open(file("another"), Share.READ, Share.NONE);
        second.renew();
        assertThat(first).isNotDone();
        stored.isSlow.countDown();
        assertThat(first.get(20, TimeUnit.SECONDS)).isNotNull();
    }

    /** A client may reclaim exactly if it held state when the server ended, and nobody else could have had it since. */
    @Test
    void randomRestartsAgreeWithAModel() throws StateException {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            stored.names.clear();
            restart();
            Map<String, Peer> peers = new HashMap<>();
            Set<String> mayReclaim = new HashSet<>();
            Set<String> complete = new HashSet<>();
            for (int step = 0; step < 60; step++) {
                String name = "client " + random.nextInt(4);
                boolean isGrace = !complete.containsAll(mayReclaim);
                String what = "seed " + seed + " step " + step;
                switch (random.nextInt(6)) {
                    case 0 -> {
                        restart();
                        peers.clear();
                        complete.clear();
                    }
                    case 1 -> {
                        state.pass(GRACE.plusSeconds(1));
                        // Somebody asks, so that the server notices.
                        state.table.requireGraceOver();
                        mayReclaim.retainAll(complete);
                    }
                    case 2 -> {
                        Peer peer = peers.get(name);
                        if (peer != null && complete.add(name)) {
                            complete(peer);
                        }
                    }
                    case 3 -> {
                        if (!peers.containsKey(name)) {
                            peers.put(name, back(name));
                        }
                    }
                    case 4 -> {
                        Peer peer = peers.get(name);
                        boolean may = isGrace && mayReclaim.contains(name) && !complete.contains(name);
                        if (peer != null && may) {
                            reclaim(peer, FILE, Share.READ, Share.NONE);
                        } else if (peer != null) {
                            assertStatus(Status.NO_GRACE, () -> reclaim(peer, FILE, Share.READ, Share.NONE));
                        }
                    }
                    default -> {
                        Peer peer = peers.get(name);
                        if (peer != null && complete.contains(name) && !isGrace) {
                            peer.open(FILE, Share.READ, Share.NONE);
                            mayReclaim.add(name);
                        } else if (peer != null) {
                            assertStatus(Status.GRACE, () -> peer.open(FILE, Share.READ, Share.NONE));
                        }
                    }
                }
                assertThat(stored.names).as(what).hasSize(mayReclaim.size());
            }
        }
    }
}
