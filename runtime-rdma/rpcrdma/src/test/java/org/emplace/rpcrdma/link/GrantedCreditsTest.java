// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A peer is granted as many calls as Receives are posted for it, and may not exceed that for long. */
final class GrantedCreditsTest {
    private int posted;
    private int postable = Integer.MAX_VALUE;
    private int lateAnswers;
    private int mostLateAnswers = Integer.MAX_VALUE;

    @Test
    void aGrantDoublesEachTimeThatThePeerHasUsedAllOfIt() {
        GrantedCredits credits = credits(2, 100);

        assertThat(credits.grant(100)).isEqualTo(2);
        consume(credits, 1);
        assertThat(credits.grant(100)).isEqualTo(2);
        consume(credits, 1);
        assertThat(credits.grant(100)).isEqualTo(4);
        assertThat(credits.grant(100)).isEqualTo(4);
        consume(credits, 1);
        assertThat(credits.grant(100)).isEqualTo(4);
        consume(credits, 1);
        assertThat(credits.grant(100)).isEqualTo(8);
        assertThat(posted).isEqualTo(8);
    }

    @Test
    void aGrantGrowsNoFurtherThanIsAskedForAllowedAndPosted() {
        GrantedCredits credits = credits(2, 7);
        consume(credits, 2);
        assertThat(credits.grant(2)).isEqualTo(2);
        assertThat(credits.grant(3)).isEqualTo(3);
        consume(credits, 1);
        postable = 2;
        assertThat(credits.grant(100)).isEqualTo(5);
        postable = 100;
        consume(credits, 2);
        assertThat(credits.grant(100)).isEqualTo(7);
        consume(credits, 2);
        assertThat(credits.grant(100)).isEqualTo(7);
        assertThat(posted).isEqualTo(7);
    }

    @Test
    void noMoreThanTwiceTheGrantMayBeUnanswered() {
        GrantedCredits credits = credits(2, 2);
        consume(credits, 4);
        assertThat(credits.consume()).isFalse();

        GrantedCredits answering = credits(2, 2);
        consume(answering, 4);
        answering.answered();
        assertThat(answering.consume()).isTrue();
    }

    @Test
    void answersOnTheirWayMayBeSixtyFourMore() {
        GrantedCredits credits = credits(2, 2);
        for (int call = 0; call < 4 + 64; call++) {
            consume(credits, 1);
            credits.answered();
        }
        assertThat(credits.consume()).isFalse();

        credits.answered();
        credits.replySent();
        credits.replySent();
        assertThat(credits.consume()).isTrue();
    }

    /** So a peer that takes no replies cannot have all of them over many connections. */
    @Test
    void answersOnTheirWayTakePlacesThatConnectionsShare() {
        mostLateAnswers = 3;
        GrantedCredits credits = credits(2, 2);
        for (int call = 0; call < 4 + 3; call++) {
            consume(credits, 1);
            credits.answered();
        }
        assertThat(credits.consume()).isFalse();

        for (int call = 0; call < 4 + 3; call++) {
            credits.replySent();
        }
        assertThat(lateAnswers).isZero();
    }

    @Test
    void theEndOfAConnectionReturnsThePlacesOfAnswersThatWillNotLeave() {
        GrantedCredits credits = credits(2, 2);
        for (int call = 0; call < 4 + 3; call++) {
            consume(credits, 1);
            credits.answered();
        }
        assertThat(lateAnswers).isEqualTo(3);

        credits.disconnected();
        assertThat(lateAnswers).isZero();
        for (int call = 0; call < 4 + 3; call++) {
            credits.replySent();
        }
        assertThat(lateAnswers).isZero();
    }

    @Test
    void messagesThatAreNoCallsMayNotGoOnForLong() {
        GrantedCredits credits = credits(2, 2);
        for (int message = 0; message < 64 + 4; message++) {
            assertThat(credits.stray()).isTrue();
        }
        assertThat(credits.stray()).isFalse();
    }

    @Test
    void callsInBetweenExcuseThem() {
        GrantedCredits credits = credits(2, 2);
        for (int message = 0; message < 1000; message++) {
            assertThat(credits.stray()).isTrue();
            consume(credits, 1);
            credits.answered();
            credits.replySent();
        }
    }

    @Test
    void aPeerIsIdleOnceTheLastAnswerHasLeft() throws Exception {
        GrantedCredits credits = credits(2, 2);
        consume(credits, 2);
        credits.answered();
        credits.answered();
        credits.replySent();
        Thread.sleep(1);
        assertThat(credits.idleNanos()).isZero();

        credits.replySent();
        Thread.sleep(1);
        assertThat(credits.idleNanos()).isPositive();
    }

    private GrantedCredits credits(int granted, int limit) {
        posted = granted;
        return new GrantedCredits(
                granted,
                limit,
                more -> {
                    int further = Math.min(more, postable);
                    posted += further;
                    return further;
                },
                new GrantedCredits.LateAnswers() {
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

    private static void consume(GrantedCredits credits, int calls) {
        for (int call = 0; call < calls; call++) {
            assertThat(credits.consume()).isTrue();
        }
    }
}
