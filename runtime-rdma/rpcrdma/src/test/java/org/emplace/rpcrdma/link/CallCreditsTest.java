// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A peer is granted as many calls as Receives are posted for it, and may not exceed that for long. */
final class CallCreditsTest {
    private int posted;
    private int postable = Integer.MAX_VALUE;
    private int lateAnswers;
    private int mostLateAnswers = Integer.MAX_VALUE;

    @Test
    void aGrantDoublesEachTimeThatThePeerHasUsedAllOfIt() {
        CallCredits credits = credits(2, 100);

        assertThat(credits.grant(100)).isEqualTo(2);
        take(credits, 1);
        assertThat(credits.grant(100)).isEqualTo(2);
        take(credits, 1);
        assertThat(credits.grant(100)).isEqualTo(4);
        assertThat(credits.grant(100)).isEqualTo(4);
        take(credits, 1);
        assertThat(credits.grant(100)).isEqualTo(4);
        take(credits, 1);
        assertThat(credits.grant(100)).isEqualTo(8);
        assertThat(posted).isEqualTo(8);
    }

    @Test
    void aGrantGrowsNoFurtherThanIsAskedForAllowedAndPosted() {
        CallCredits credits = credits(2, 7);
        take(credits, 2);
        assertThat(credits.grant(2)).isEqualTo(2);
        assertThat(credits.grant(3)).isEqualTo(3);
        take(credits, 1);
        postable = 2;
        assertThat(credits.grant(100)).isEqualTo(5);
        postable = 100;
        take(credits, 2);
        assertThat(credits.grant(100)).isEqualTo(7);
        take(credits, 2);
        assertThat(credits.grant(100)).isEqualTo(7);
        assertThat(posted).isEqualTo(7);
    }

    @Test
    void noMoreThanTwiceTheGrantMayBeUnanswered() {
        CallCredits credits = credits(2, 2);
        take(credits, 4);
        assertThat(credits.take()).isFalse();

        CallCredits answering = credits(2, 2);
        take(answering, 4);
        answering.giveBack();
        assertThat(answering.take()).isTrue();
    }

    @Test
    void answersOnTheirWayMayBeSixtyFourMore() {
        CallCredits credits = credits(2, 2);
        for (int call = 0; call < 4 + 64; call++) {
            take(credits, 1);
            credits.giveBack();
        }
        assertThat(credits.take()).isFalse();

        credits.giveBack();
        credits.left();
        credits.left();
        assertThat(credits.take()).isTrue();
    }

    /** So a peer that takes no replies cannot have all of them over many connections. */
    @Test
    void answersOnTheirWayTakePlacesThatConnectionsShare() {
        mostLateAnswers = 3;
        CallCredits credits = credits(2, 2);
        for (int call = 0; call < 4 + 3; call++) {
            take(credits, 1);
            credits.giveBack();
        }
        assertThat(credits.take()).isFalse();

        for (int call = 0; call < 4 + 3; call++) {
            credits.left();
        }
        assertThat(lateAnswers).isZero();
    }

    @Test
    void theEndOfAConnectionReturnsThePlacesOfAnswersThatWillNotLeave() {
        CallCredits credits = credits(2, 2);
        for (int call = 0; call < 4 + 3; call++) {
            take(credits, 1);
            credits.giveBack();
        }
        assertThat(lateAnswers).isEqualTo(3);

        credits.end();
        assertThat(lateAnswers).isZero();
        for (int call = 0; call < 4 + 3; call++) {
            credits.left();
        }
        assertThat(lateAnswers).isZero();
    }

    @Test
    void messagesThatAreNoCallsMayNotGoOnForLong() {
        CallCredits credits = credits(2, 2);
        for (int message = 0; message < 64 + 4; message++) {
            assertThat(credits.stray()).isTrue();
        }
        assertThat(credits.stray()).isFalse();
    }

    @Test
    void callsInBetweenExcuseThem() {
        CallCredits credits = credits(2, 2);
        for (int message = 0; message < 1000; message++) {
            assertThat(credits.stray()).isTrue();
            take(credits, 1);
            credits.giveBack();
            credits.left();
        }
    }

    @Test
    void aPeerIsIdleOnceTheLastAnswerHasLeft() throws Exception {
        CallCredits credits = credits(2, 2);
        take(credits, 2);
        credits.giveBack();
        credits.giveBack();
        credits.left();
        Thread.sleep(1);
        assertThat(credits.idleNanos()).isZero();

        credits.left();
        Thread.sleep(1);
        assertThat(credits.idleNanos()).isPositive();
    }

    private CallCredits credits(int granted, int limit) {
        posted = granted;
        return new CallCredits(
                granted,
                limit,
                more -> {
                    int further = Math.min(more, postable);
                    posted += further;
                    return further;
                },
                new CallCredits.LateAnswers() {
                    @Override
                    public boolean enter() {
                        boolean free = lateAnswers < mostLateAnswers;
                        lateAnswers += free ? 1 : 0;
                        return free;
                    }

                    @Override
                    public void leave() {
                        lateAnswers--;
                    }
                });
    }

    private static void take(CallCredits credits, int calls) {
        for (int call = 0; call < calls; call++) {
            assertThat(credits.take()).isTrue();
        }
    }
}
