// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much of a loop's rounds each address has. */
final class FairShareTest {
    private static final int HALF = FairShare.ROUND / 2;

    private final FairShare share = new FairShare();
    private final List<String> done = new ArrayList<>();
    private final Peer one = address(1);
    private final Peer other = address(2);

    private static Peer address(int last) {
        try {
            return Peer.of(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) last}));
        } catch (java.net.UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Test
    void anAddressThatHasHadItsShareLeavesTheRestOfTheRoundToOthers() {
        assertThat(share.isLeft(one)).isTrue();
        share.spend(one, HALF);
        assertThat(share.isLeft(one)).isTrue();
        share.spend(one, HALF);

        assertThat(share.isLeft(one)).isFalse();
        assertThat(share.isLeft(other)).isTrue();
        round();
        assertThat(share.isLeft(one)).isTrue();
    }

    @Test
    void howeverManyConnectionsWaitARoundDoesNoMoreForTheirAddress() {
        for (int i = 0; i < 100; i++) {
            wait(one, "one " + i);
        }
        wait(other, "other");
        assertThat(share.isWaiting()).isTrue();

        round();
        assertThat(done).containsExactly("one 0", "one 1", "other");
        while (share.isWaiting()) {
            int before = done.size();
            round();
            assertThat(done.size() - before).isBetween(1, 2);
        }
        assertThat(done).hasSize(101).endsWith("one 98", "one 99");
    }

    @Test
    void roundsAreShortWhileSeveralAddressesHaveWork() {
        share.spend(one, FairShare.SHARED_ROUND);
        assertThat(share.isLeft(one)).isTrue();

        share.spend(other, 1);
        assertThat(share.isLeft(one)).isFalse();
        assertThat(share.isLeft(other)).isTrue();

        round();
        share.spend(one, FairShare.SHARED_ROUND);
        assertThat(share.isLeft(one)).as("soon after").isFalse();

        for (int i = 0; i < 64; i++) {
            round();
        }
        share.spend(one, FairShare.SHARED_ROUND);
        assertThat(share.isLeft(one)).as("alone for long").isTrue();
    }

    @Test
    void turnsCountHoweverLittleIsDoneInThem() {
        for (int i = 0; i < 1000; i++) {
            share.later(one, () -> done.add("nothing"));
        }
        share.later(other, () -> done.add("other"));

        round();

        assertThat(done).hasSizeBetween(2, 257).endsWith("other");
    }

    @Test
    void aTaskBeginsWithWhatIsLeftOfItsAddressesShare() {
        List<Boolean> left = new ArrayList<>();
        share.later(one, () -> share.spend(one, FairShare.ROUND - 1));
        share.later(one, () -> left.add(share.isLeft(one)));

        round();

        assertThat(left).containsExactly(true);
        assertThat(share.isLeft(one)).isFalse();
    }

    @Test
    void aTurnCountsOnceIfTheTaskCountsItsOwnWork() {
        share.later(one, () -> share.spend(one, FairShare.ROUND - 1));

        round();

        assertThat(share.isLeft(one)).isTrue();
    }

    @Test
    void aTaskIsAloneIfNoChannelHadWorkAndNoOtherTaskWaits() {
        List<Boolean> crowded = new ArrayList<>();
        Runnable task = () -> crowded.add(share.isCrowded());

        share.later(one, task);
        round();
        assertThat(crowded).containsExactly(false);
        share.countServed();
        share.later(one, task);
        round();
        assertThat(crowded).endsWith(true);
        round();
        share.later(one, task);
        share.later(one, task);
        round();
        assertThat(crowded).endsWith(true, false);
    }

    @Test
    void aTaskThatWaitsAgainGetsItsNextTurnAfterTheOthers() {
        share.later(one, () -> {
            share.spend(one, HALF);
            done.add("first");
            wait(one, "again");
        });
        wait(one, "second");
        wait(one, "third");

        round();
        assertThat(done).containsExactly("first", "second");
        round();
        assertThat(done).endsWith("third", "again");
    }

    @Test
    void anAddressThatDoesLittleIsNotCountedForLong() {
        share.spend(one, HALF);
        round();
        share.spend(one, HALF);
        round();
        assertThat(share.isLeft(one)).isTrue();
    }

    @Test
    void aPeerWhoseTaskFailsIsServedAgain() {
        share.later(one, () -> {
            wait(one, "later");
            throw new StackOverflowError("as the test wants it");
        });

        assertThatThrownBy(this::round).isInstanceOf(StackOverflowError.class);
        round();
        assertThat(done).containsExactly("later");
    }

    private void wait(Peer address, String name) {
        share.later(address, () -> {
            share.spend(address, HALF);
            done.add(name);
        });
    }

    private void round() {
        share.nextRound(Runnable::run);
    }
}
