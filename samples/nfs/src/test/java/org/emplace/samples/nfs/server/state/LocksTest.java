// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.state.TestedState.FILE;
import static org.emplace.samples.nfs.server.state.TestedState.assertStatus;
import static org.emplace.samples.nfs.server.state.TestedState.file;
import static org.emplace.samples.nfs.server.state.TestedState.opaque;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.emplace.samples.nfs.server.state.Locks.Denied;
import org.emplace.samples.nfs.server.state.Locks.Granted;
import org.emplace.samples.nfs.server.state.Locks.LockResult;
import org.emplace.samples.nfs.server.state.Locks.Wanted;
import org.emplace.samples.nfs.server.state.Opens.Share;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.emplace.samples.nfs.server.state.TestedState.Peer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** LOCK, LOCKT, LOCKU. */
class LocksTest {
    private static final long ALL = -1;

    private final TestedState state = new TestedState();
    private final Locks locks = state.table.locks();
    private final StateIds stateIds = state.table.stateIds();
    private Peer peer;
    private Peer other;
    private StateId open;
    private StateId othersOpen;

    @BeforeEach
    void open() throws StateException {
        peer = state.peer("peer");
        other = state.peer("other");
        open = peer.open(FILE, Share.BOTH, Share.NONE);
        othersOpen = other.open(FILE, Share.BOTH, Share.NONE);
    }

    private static Wanted read(long offset, long length) throws StateException {
        return new Wanted(FILE, ByteRange.of(offset, length), false);
    }

    private static Wanted write(long offset, long length) throws StateException {
        return new Wanted(FILE, ByteRange.of(offset, length), true);
    }

    private LockResult lock(String owner, Wanted wanted) throws StateException {
        return locks.lock(peer.id, open, opaque(owner), wanted);
    }

    private LockResult lockByOther(Wanted wanted) throws StateException {
        return locks.lock(other.id, othersOpen, opaque("owner"), wanted);
    }

    private static StateId granted(LockResult result) {
        return ((Granted) result).stateId();
    }

    @Test
    void anOwnerAddsToItsLocks() throws StateException {
        StateId first = granted(lock("owner", write(0, 10)));
        assertThat(first.seqid()).isEqualTo(1);
        StateId second = granted(locks.lock(peer.id, first, write(20, 10)));
        assertThat(second).isEqualTo(new StateId(2, first.instance(), first.number()));
        assertThat(granted(lock("owner", read(5, 20)))).isEqualTo(new StateId(3, first.instance(), first.number()));
        assertStatus(Status.OLD_STATEID, () -> locks.lock(peer.id, second, write(0, 1)));
        assertThat(granted(lock("another owner", read(50, 10))).number()).isNotEqualTo(first.number());
    }

    @Test
    void theHolderOfALockIsNamed() throws StateException {
        lock("owner", write(10, 10));
        Denied denied = new Denied(ByteRange.of(10, 10), true, peer.id, opaque("owner"));
        assertThat(lockByOther(read(0, ALL))).isEqualTo(denied);
        assertThat(lockByOther(write(19, 1))).isEqualTo(denied);
        assertThat(lock("another owner", write(15, 1))).isEqualTo(denied);
        assertThat(locks.test(other.id, opaque("owner"), read(0, 11))).contains(denied);
        assertThat(locks.test(peer.id, opaque("owner"), write(0, ALL))).isEmpty();
        assertThat(locks.test(other.id, opaque("owner"), write(0, 10))).isEmpty();
        assertThat(locks.test(other.id, opaque("owner"), write(20, ALL))).isEmpty();
        assertThat(locks.test(other.id, opaque("owner"), new Wanted(file("another"), ByteRange.of(0, ALL), true)))
                .isEmpty();
    }

    @Test
    void readersShareARange() throws StateException {
        lock("owner", read(0, 10));
        granted(lockByOther(read(5, 10)));
        assertThat(lock("owner", write(0, 10)))
                .isEqualTo(new Denied(ByteRange.of(5, 10), false, other.id, opaque("owner")));
        granted(lock("owner", write(0, 5)));
    }

    @Test
    void aDowngradeLetsReadersIn() throws StateException {
        lock("owner", write(0, ALL));
        lock("owner", read(10, 10));
        granted(lockByOther(read(10, 10)));
        assertThat(lockByOther(read(9, 1))).isEqualTo(new Denied(ByteRange.of(0, 10), true, peer.id, opaque("owner")));
        assertThat(lockByOther(read(20, 1)))
                .isEqualTo(new Denied(ByteRange.of(20, ALL), true, peer.id, opaque("owner")));
    }

    @Test
    void unlockingSplitsALock() throws StateException {
        StateId lock = granted(lock("owner", write(0, ALL)));
        StateId unlocked = locks.unlock(peer.id, lock, FILE, ByteRange.of(10, 10));
        assertThat(unlocked).isEqualTo(new StateId(2, lock.instance(), lock.number()));
        granted(lockByOther(write(10, 10)));
        assertThat(lockByOther(write(9, 1))).isInstanceOf(Denied.class);
        assertThat(lockByOther(write(20, 1))).isInstanceOf(Denied.class);
        locks.unlock(peer.id, unlocked, FILE, ByteRange.of(0, ALL));
        granted(lockByOther(write(0, ALL)));
    }

    @Test
    void aLockNeedsTheAccessOfItsOpen() throws StateException {
        StateId toRead = peer.open("reader", FILE, Share.READ, Share.NONE);
        StateId lock = granted(locks.lock(peer.id, toRead, opaque("owner"), read(0, 1)));
        assertStatus(Status.OPENMODE, () -> locks.lock(peer.id, toRead, opaque("owner"), write(0, 1)));
        assertStatus(Status.OPENMODE, () -> locks.lock(peer.id, lock, write(0, 1)));
        StateId toWrite = peer.open("writer", FILE, Share.WRITE, Share.NONE);
        assertStatus(Status.OPENMODE, () -> locks.lock(peer.id, toWrite, opaque("owner"), read(0, 1)));
    }

    @Test
    void aStateIdServesForWhatItNames() throws StateException {
        StateId lock = granted(lock("owner", write(0, 1)));
        assertStatus(Status.BAD_STATEID, () -> locks.lock(peer.id, open, write(0, 1)));
        assertStatus(Status.BAD_STATEID, () -> locks.lock(peer.id, lock, opaque("owner"), write(0, 1)));
        assertStatus(Status.BAD_STATEID, () -> locks.unlock(peer.id, open, FILE, ByteRange.of(0, 1)));
        assertStatus(Status.BAD_STATEID, () -> locks.unlock(peer.id, lock, file("another"), ByteRange.of(0, 1)));
        assertStatus(Status.BAD_STATEID, () -> locks.unlock(other.id, lock, FILE, ByteRange.of(0, 1)));
        assertStatus(Status.BAD_STATEID, () -> state.table.opens().close(peer.id, FILE, lock));
        state.table.opens().checkWrite(peer.id, FILE, lock);
    }

    @Test
    void closeReleasesTheLocksOfItsOpen() throws StateException {
        StateId second = peer.open("another owner", FILE, Share.BOTH, Share.NONE);
        StateId lock = granted(lock("owner", write(0, 10)));
        StateId kept = granted(locks.lock(peer.id, second, opaque("owner"), write(10, 10)));
        state.table.opens().close(peer.id, FILE, open);
        assertThat(stateIds.test(peer.id, lock)).contains(Status.BAD_STATEID);
        assertThat(stateIds.test(peer.id, kept)).isEmpty();
        granted(lockByOther(write(0, 10)));
        assertThat(lockByOther(write(10, 1))).isInstanceOf(Denied.class);
    }

    @Test
    void aLockOwnerWithoutLocksIsFreed() throws StateException {
        StateId lock = granted(lock("owner", write(0, 10)));
        assertStatus(Status.LOCKS_HELD, () -> stateIds.free(peer.id, lock));
        StateId unlocked = locks.unlock(peer.id, lock, FILE, ByteRange.of(0, ALL));
        assertStatus(Status.OLD_STATEID, () -> stateIds.free(peer.id, lock));
        stateIds.free(peer.id, unlocked);
        assertStatus(Status.BAD_STATEID, () -> stateIds.free(peer.id, unlocked));
        assertThat(granted(lock("owner", write(0, 10))).seqid()).isEqualTo(1);
    }

    /** Five owners of two clients, against an array of who holds each byte. */
    @Test
    void noStepsGiveAByteToTwoOwners() throws StateException {
        Random random = new Random(38);
        int window = 30;
        List<char[]> model = new ArrayList<>();
        List<StateId> ids = new ArrayList<>();
        for (int owner = 0; owner < 5; owner++) {
            char[] held = new char[window];
            Arrays.fill(held, ' ');
            model.add(held);
            StateId made =
                    granted(locks.lock(client(owner).id, openOf(owner), opaque("owner " + owner), write(100, 1)));
            ids.add(locks.unlock(client(owner).id, made, FILE, ByteRange.of(100, 1)));
        }
        for (int step = 0; step < 20_000; step++) {
            int owner = random.nextInt(5);
            int first = random.nextInt(window);
            int last = first + random.nextInt(Math.min(8, window - first));
            ByteRange range = new ByteRange(first, last);
            char wanted = " rw".charAt(random.nextInt(3));
            boolean isGranted;
            if (wanted == ' ') {
                ids.set(owner, locks.unlock(client(owner).id, ids.get(owner), FILE, range));
                isGranted = true;
            } else {
                Wanted lock = new Wanted(FILE, range, wanted == 'w');
                isGranted = isFree(model, owner, first, last, wanted);
                assertThat(locks.test(client(owner).id, opaque("owner " + owner), lock)
                                .isEmpty())
                        .as("step %d", step)
                        .isEqualTo(isGranted);
                LockResult result = locks.lock(client(owner).id, ids.get(owner), lock);
                assertThat(result instanceof Granted).as("step %d", step).isEqualTo(isGranted);
                if (isGranted) {
                    ids.set(owner, granted(result));
                }
            }
            if (isGranted) {
                Arrays.fill(model.get(owner), first, last + 1, wanted);
            }
        }
    }

    private static boolean isFree(List<char[]> model, int owner, int first, int last, char wanted) {
        for (int i = 0; i < model.size(); i++) {
            for (int at = first; i != owner && at <= last; at++) {
                char held = model.get(i)[at];
                if (held == 'w' || (held == 'r' && wanted == 'w')) {
                    return false;
                }
            }
        }
        return true;
    }

    private Peer client(int owner) {
        return owner < 3 ? peer : other;
    }

    private StateId openOf(int owner) {
        return owner < 3 ? open : othersOpen;
    }
}
