// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.emplace.reactor.Peer;
import org.junit.jupiter.api.Test;

/** How peers share memory. */
final class MemorySharesTest {
    private static final long LIMIT = 1024;

    private final List<String> announced = new ArrayList<>();
    private final List<String> granted = new ArrayList<>();
    private final MemoryShares shares = new MemoryShares(LIMIT, announced::add);

    @Test
    void oneConnectionCanHoldThreeQuarters() {
        assertThat(takeAll(shares.connection(peer(1)), 1)).isEqualTo(LIMIT * 3 / 4);
    }

    @Test
    void onePeerCanHoldSevenEighths() {
        assertThat(takeAll(shares.connection(peer(1)), 1)
                        + takeAll(shares.connection(peer(1)), 1)
                        + takeAll(shares.connection(peer(1)), 1))
                .isEqualTo(LIMIT * 7 / 8);
    }

    @Test
    void laterPeersHaveTheirShareOfTheRest() {
        for (int connection = 0; connection < 10; connection++) {
            takeAll(shares.connection(peer(1)), 1);
        }
        assertThat(takeAll(shares.connection(peer(2)), 1)).isEqualTo(96);
        assertThat(takeAll(shares.connection(peer(3)), 1)).isEqualTo(24);
    }

    @Test
    void aPeerThatHoldsNothingCanTakeTheLastBytes() throws Exception {
        shares.connection(peer(1)).charge(LIMIT / 2);
        shares.connection(peer(2)).charge(LIMIT / 2);

        assertRefused(shares.connection(peer(3)), 1);
    }

    @Test
    void returnedBytesCanBeTakenAgain() throws Exception {
        MemoryShares.Share first = shares.connection(peer(1));
        first.charge(LIMIT);
        assertRefused(first, 1);
        assertRefused(shares.connection(peer(2)), 1);

        first.uncharge(LIMIT / 2);
        first.uncharge(LIMIT / 2);

        shares.connection(peer(2)).charge(LIMIT);
    }

    @Test
    void requestsThatWaitAreGrantedInTheirOrderAsFarAsTheSharesAllow() throws Exception {
        MemoryShares.Share first = shares.connection(peer(1));
        first.charge(LIMIT);
        borrow();
        assertThat(waits(shares.connection(peer(2)), LIMIT / 2, "large")).isTrue();
        assertThat(waits(shares.connection(peer(3)), LIMIT / 8, "small")).isTrue();
        assertThat(waits(shares.connection(peer(4)), LIMIT / 8, "later")).isTrue();

        first.uncharge(LIMIT / 8);
        assertThat(granted).containsExactly("small");
        first.uncharge(LIMIT / 2);
        assertThat(granted).containsExactly("small", "large");
        first.uncharge(LIMIT / 8);
        assertThat(granted).containsExactly("small", "large", "later");
        assertThat(first.isShort()).isFalse();
    }

    @Test
    void peersWhoseRequestsWaitTakeTurns() throws Exception {
        MemoryShares.Share first = shares.connection(peer(1));
        first.charge(LIMIT);
        borrow();
        for (int connection = 1; connection <= 40; connection++) {
            waits(shares.connection(peer(2)), 1, "many " + connection);
        }
        waits(shares.connection(peer(3)), 1, "one");

        first.uncharge(4);

        assertThat(granted).containsExactly("many 1", "one", "many 2");
    }

    @Test
    void connectionsThatMayHaveNoMoreDelayNoOtherOfTheirPeer() throws Exception {
        shares.connection(peer(1)).charge(LIMIT / 2);
        MemoryShares.Share greedy = shares.connection(peer(2));
        greedy.charge(300);
        MemoryShares.Share rest = shares.connection(peer(3));
        rest.charge(LIMIT / 2 - 300);
        MemoryShares.Share borrower = borrow();
        waits(greedy, 50, "greedy");
        waits(shares.connection(peer(2)), 10, "modest");

        rest.uncharge(90);

        assertThat(granted).containsExactly("modest");
        rest.uncharge(LIMIT / 2 - 300 - 90);
        borrower.uncharge(1);
        assertThat(granted).containsExactly("modest", "greedy");
    }

    /** What all connections share is not kept busy by text that only the log needs. */
    @Test
    void messagesAreWrittenWithoutTheMonitor() throws Exception {
        AtomicBoolean held = new AtomicBoolean();
        AtomicReference<MemoryShares> own = new AtomicReference<>();
        MemoryShares watched = new MemoryShares(LIMIT, line -> held.compareAndSet(false, Thread.holdsLock(own.get())));
        own.set(watched);
        MemoryShares.Share all = watched.connection(peer(1));
        all.charge(LIMIT);

        assertRefused(all, 1);
        watched.connection(peer(2)).chargeOrWait(1, 1, () -> {});
        all.chargeOrWait(1, 1, () -> {});

        assertThat(all.isShort()).isTrue();
        assertThat(held).isFalse();
    }

    @Test
    void oneConnectionAtATimeMayBorrow() throws Exception {
        MemoryShares.Share all = shares.connection(peer(1));
        all.charge(LIMIT);
        MemoryShares.Share borrower = shares.connection(peer(2));

        assertThat(borrower.chargeOrWait(60, 100, () -> {})).isTrue();
        assertThat(borrower.chargeOrWait(40, 100, () -> {})).isTrue();
        assertThat(waits(borrower, 1, "borrower")).isTrue();
        assertThat(waits(shares.connection(peer(3)), 100, "next")).isTrue();
        borrower.uncharge(99);
        assertThat(granted).containsExactly("borrower");
        borrower.uncharge(2);
        assertThat(granted).containsExactly("borrower", "next");
    }

    @Test
    void whatIsBorrowedIsNotTakenFromOtherPeers() throws Exception {
        MemoryShares.Share greedy = shares.connection(peer(1));
        greedy.charge(LIMIT * 7 / 8);
        assertThat(greedy.chargeOrWait(LIMIT / 2, LIMIT / 2, () -> {})).isTrue();

        shares.connection(peer(2)).charge(LIMIT / 8);
    }

    @Test
    void aConnectionThatNoLongerWaitsTakesNothing() throws Exception {
        MemoryShares.Share all = shares.connection(peer(1));
        all.charge(LIMIT);
        MemoryShares.Share borrower = borrow();
        MemoryShares.Share waiting = shares.connection(peer(2));
        assertThat(waits(waiting, 1, "withdrawn")).isTrue();

        waiting.stopWaiting();
        all.uncharge(LIMIT);
        borrower.uncharge(1);

        assertThat(granted).isEmpty();
        shares.connection(peer(2)).charge(LIMIT);
    }

    /** Borrows a byte, so that no other connection can borrow. */
    private MemoryShares.Share borrow() {
        MemoryShares.Share borrower = shares.connection(peer(9));
        assertThat(borrower.chargeOrWait(1, 1, () -> {})).isTrue();
        return borrower;
    }

    private boolean waits(MemoryShares.Share share, long bytes, String name) {
        return !share.chargeOrWait(bytes, 100, () -> granted.add(name));
    }

    @Test
    void anExceptionSaysHowManyBytesAreHeld() throws Exception {
        MemoryShares.Share greedy = shares.connection(peer(1));
        shares.connection(peer(1)).charge(100);
        shares.connection(peer(2)).charge(200);
        greedy.charge(600);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> greedy.charge(120))
                .withMessageContaining("120 bytes for a call from 10.0.0.1: its connection holds 600, its address 700"
                        + " and all calls 900 of 1024 bytes");
    }

    @Test
    void onlyFewOfManyFailuresAreAnnounced() {
        MemoryShares.Share greedy = shares.connection(peer(1));
        for (int i = 0; i < 1_000; i++) {
            assertRefused(greedy, LIMIT + 1);
        }

        assertThat(announced).hasSize(10).last().asString().endsWith("such calls so far: 512");
    }

    @Test
    void concurrentUseLosesNoBytes() throws Exception {
        List<CompletableFuture<Void>> users = new ArrayList<>();
        for (int user = 0; user < 8; user++) {
            MemoryShares.Share share = shares.connection(peer(user % 3));
            users.add(CompletableFuture.runAsync(() -> {
                for (int round = 0; round < 10_000; round++) {
                    if (tryTake(share, 1 + round % 300)) {
                        share.uncharge(1 + round % 300);
                    }
                }
            }));
        }
        CompletableFuture.allOf(users.toArray(CompletableFuture<?>[]::new)).join();

        shares.connection(peer(4)).charge(LIMIT);
    }

    private static long takeAll(MemoryShares.Share share, long step) {
        long taken = 0;
        while (tryTake(share, step)) {
            taken += step;
        }
        return taken;
    }

    private static boolean tryTake(MemoryShares.Share share, long bytes) {
        try {
            share.charge(bytes);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static void assertRefused(MemoryShares.Share share, long bytes) {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> share.charge(bytes));
    }

    private static Peer peer(int number) {
        try {
            return Peer.of(InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) number}));
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
