// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.state.TestedState.FILE;
import static org.emplace.samples.nfs.server.state.TestedState.assertStatus;
import static org.emplace.samples.nfs.server.state.TestedState.file;
import static org.emplace.samples.nfs.server.state.TestedState.opaque;

import org.emplace.samples.nfs.server.state.Opens.Share;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.emplace.samples.nfs.server.state.TestedState.Peer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** OPEN, OPEN_DOWNGRADE, CLOSE, the checks of I/O, FREE_STATEID, TEST_STATEID. */
class OpensTest {
    private static final int NONE = Share.NONE;
    private static final int READ = Share.READ;
    private static final int WRITE = Share.WRITE;
    private static final int BOTH = Share.BOTH;

    private final TestedState state = new TestedState();
    private final Opens opens = state.table.opens();
    private final StateIds stateIds = state.table.stateIds();
    private Peer peer;
    private Peer other;

    @BeforeEach
    void connect() throws StateException {
        peer = state.peer("peer");
        other = state.peer("other");
    }

    private static StateId withSeqid(StateId id, int seqid) {
        return new StateId(seqid, id.instance(), id.number());
    }

    @Test
    void anOwnerHasOneOpenOfAFile() throws StateException {
        StateId open = peer.open(FILE, READ, NONE);
        assertThat(open.seqid()).isEqualTo(1);
        assertThat(peer.open(FILE, WRITE, NONE)).isEqualTo(withSeqid(open, 2));
        assertThat(opens.open(peer.id, opaque("owner"), FILE, new Share(READ, NONE))
                        .isNew())
                .isFalse();
        assertThat(opens.open(peer.id, opaque("another"), FILE, new Share(READ, NONE))
                        .isNew())
                .isTrue();
        assertThat(opens.open(other.id, opaque("owner"), FILE, new Share(READ, NONE))
                        .isNew())
                .isTrue();
        assertThat(opens.open(peer.id, opaque("owner"), file("another"), new Share(READ, NONE))
                        .isNew())
                .isTrue();
    }

    /** All 12 × 12 pairs, by another client and by the same owner: RFC 8881 section 9.7 makes no exception for it. */
    @Test
    void sharesExcludeEachOther() throws StateException {
        for (int access = READ; access <= BOTH; access++) {
            for (int deny = NONE; deny <= BOTH; deny++) {
                for (int secondAccess = READ; secondAccess <= BOTH; secondAccess++) {
                    for (int secondDeny = NONE; secondDeny <= BOTH; secondDeny++) {
                        boolean excluded = (access & secondDeny) != 0 || (deny & secondAccess) != 0;
                        Share second = new Share(secondAccess, secondDeny);
                        for (Peer by : new Peer[] {other, peer}) {
                            StateId open = peer.open(FILE, access, deny);
                            if (excluded) {
                                assertStatus(
                                        Status.SHARE_DENIED, () -> opens.open(by.id, opaque("owner"), FILE, second));
                            } else {
                                StateId granted = opens.open(by.id, opaque("owner"), FILE, second)
                                        .stateId();
                                opens.close(by.id, FILE, granted);
                            }
                            if (excluded || by == other) {
                                opens.close(peer.id, FILE, open);
                            }
                            assertThat(opens.isOpen(FILE)).isFalse();
                        }
                    }
                }
            }
        }
    }

    @Test
    void anInvalidShareIsRejected() {
        for (Share share : new Share[] {new Share(0, 0), new Share(4, 0), new Share(1, 4), new Share(1, -1)}) {
            assertStatus(Status.INVAL, () -> opens.open(peer.id, opaque("owner"), FILE, share));
        }
        assertThat(opens.isOpen(FILE)).isFalse();
    }

    @Test
    void anOpenIsDowngradedToWhatSomeOfItsOpensComeTo() throws StateException {
        peer.open(FILE, READ, NONE);
        StateId open = peer.open(FILE, BOTH, NONE);
        assertStatus(Status.INVAL, () -> opens.downgrade(peer.id, FILE, open, new Share(WRITE, NONE)));
        assertStatus(Status.INVAL, () -> opens.downgrade(peer.id, FILE, open, new Share(READ, READ)));
        StateId reduced = opens.downgrade(peer.id, FILE, open, new Share(READ, NONE));
        assertThat(reduced).isEqualTo(withSeqid(open, 3));
        assertStatus(Status.OPENMODE, () -> opens.checkWrite(peer.id, FILE, reduced));
        assertStatus(Status.INVAL, () -> opens.downgrade(peer.id, FILE, reduced, new Share(BOTH, NONE)));
    }

    @Test
    void aDowngradeGivesUpWhatItDenied() throws StateException {
        peer.open(FILE, READ, NONE);
        StateId open = peer.open("owner", FILE, READ, WRITE);
        assertStatus(Status.SHARE_DENIED, () -> other.open(FILE, WRITE, NONE));
        opens.downgrade(peer.id, FILE, open, new Share(READ, NONE));
        other.open(FILE, WRITE, NONE);
    }

    @Test
    void severalOpensMayComeToADowngrade() throws StateException {
        peer.open(FILE, READ, NONE);
        peer.open(FILE, WRITE, NONE);
        StateId open = peer.open(file("other"), READ, NONE);
        assertStatus(Status.INVAL, () -> opens.downgrade(peer.id, file("other"), open, new Share(BOTH, NONE)));
        StateId both = peer.open(FILE, READ, NONE);
        opens.downgrade(peer.id, FILE, both, new Share(BOTH, NONE));
    }

    @Test
    void closeEndsAnOpen() throws StateException {
        StateId open = peer.open(FILE, BOTH, BOTH);
        assertThat(opens.close(peer.id, FILE, open)).isEqualTo(StateId.INVALID);
        assertStatus(Status.BAD_STATEID, () -> opens.close(peer.id, FILE, open));
        assertStatus(Status.BAD_STATEID, () -> opens.checkRead(peer.id, FILE, open));
        assertThat(opens.isOpen(FILE)).isFalse();
        assertThat(other.open(FILE, BOTH, BOTH).seqid()).isEqualTo(1);
    }

    /** RFC 8881 section 8.2. */
    @Test
    void aStateIdNamesItsClientsLatestStateOfAFile() throws StateException {
        peer.open(FILE, BOTH, NONE);
        peer.open(FILE, BOTH, NONE);
        StateId open = peer.open(FILE, BOTH, NONE);
        opens.checkWrite(peer.id, FILE, open);
        opens.checkWrite(peer.id, FILE, withSeqid(open, 0));
        assertStatus(Status.OLD_STATEID, () -> opens.checkWrite(peer.id, FILE, withSeqid(open, 2)));
        assertStatus(Status.BAD_STATEID, () -> opens.checkWrite(peer.id, FILE, withSeqid(open, 4)));
        assertStatus(Status.BAD_STATEID, () -> opens.checkWrite(other.id, FILE, open));
        assertStatus(Status.BAD_STATEID, () -> opens.checkWrite(peer.id, file("another"), open));
        StateId ofAnotherStart = new StateId(open.seqid(), open.instance() + 1, open.number());
        assertStatus(Status.BAD_STATEID, () -> opens.checkWrite(peer.id, FILE, ofAnotherStart));
        for (StateId special : new StateId[] {StateId.CURRENT, StateId.INVALID, new StateId(7, -1, -1)}) {
            assertStatus(Status.BAD_STATEID, () -> opens.checkRead(peer.id, FILE, special));
            assertStatus(Status.BAD_STATEID, () -> opens.checkWrite(peer.id, FILE, special));
        }
        assertStatus(Status.BAD_STATEID, () -> opens.close(peer.id, FILE, StateId.ANONYMOUS));
    }

    @Test
    void ioNeedsTheAccessOfItsOpen() throws StateException {
        StateId read = peer.open("reader", FILE, READ, NONE);
        opens.checkRead(peer.id, FILE, read);
        assertStatus(Status.OPENMODE, () -> opens.checkWrite(peer.id, FILE, read));
        StateId write = peer.open("writer", FILE, WRITE, NONE);
        opens.checkWrite(peer.id, FILE, write);
        opens.checkRead(peer.id, FILE, write);
    }

    @Test
    void anOpenToWriteDoesNotReadWhatOthersDeny() throws StateException {
        StateId write = peer.open(FILE, WRITE, READ);
        opens.checkRead(peer.id, FILE, write);
        StateId others = other.open(FILE, WRITE, READ);
        assertStatus(Status.LOCKED, () -> opens.checkRead(peer.id, FILE, write));
        opens.close(other.id, FILE, others);
        opens.checkRead(peer.id, FILE, write);
    }

    /** I/O of version 3, and with the special stateids. */
    @Test
    void ioWithoutAnOpenMeetsWhatOpensDeny() throws StateException {
        opens.checkRead(FILE);
        opens.checkWrite(FILE);
        for (int deny = NONE; deny <= BOTH; deny++) {
            StateId open = peer.open(FILE, READ, deny);
            assertLocked((deny & READ) != 0, () -> opens.checkRead(FILE));
            assertLocked((deny & READ) != 0, () -> opens.checkRead(other.id, FILE, StateId.ANONYMOUS));
            assertLocked((deny & WRITE) != 0, () -> opens.checkWrite(FILE));
            assertLocked((deny & WRITE) != 0, () -> opens.checkWrite(other.id, FILE, StateId.ANONYMOUS));
            assertLocked((deny & WRITE) != 0, () -> opens.checkWrite(other.id, FILE, StateId.READ_BYPASS));
            opens.checkRead(other.id, FILE, StateId.READ_BYPASS);
            opens.checkWrite(file("another"));
            opens.close(peer.id, FILE, open);
        }
    }

    private interface Check {
        void run() throws StateException;
    }

    private static void assertLocked(boolean isLocked, Check check) throws StateException {
        if (isLocked) {
            assertStatus(Status.LOCKED, check::run);
        } else {
            check.run();
        }
    }

    @Test
    void aStateIdIsTested() throws StateException {
        peer.open(FILE, READ, NONE);
        StateId open = peer.open(FILE, READ, NONE);
        assertThat(stateIds.test(peer.id, open)).isEmpty();
        assertThat(stateIds.test(peer.id, withSeqid(open, 1))).contains(Status.OLD_STATEID);
        assertThat(stateIds.test(peer.id, withSeqid(open, 3))).contains(Status.BAD_STATEID);
        assertThat(stateIds.test(other.id, open)).contains(Status.BAD_STATEID);
        assertThat(stateIds.test(peer.id, StateId.ANONYMOUS)).contains(Status.BAD_STATEID);
    }

    @Test
    void anOpenIsNotFreed() throws StateException {
        StateId open = peer.open(FILE, READ, NONE);
        assertStatus(Status.LOCKS_HELD, () -> stateIds.free(peer.id, open));
        assertStatus(Status.BAD_STATEID, () -> stateIds.free(other.id, open));
        assertStatus(Status.BAD_STATEID, () -> stateIds.free(peer.id, StateId.ANONYMOUS));
        opens.checkRead(peer.id, FILE, open);
    }
}
