// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import static org.assertj.core.api.Assertions.assertThat;

import org.emplace.rpcrdma.requester.Requester.Credits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many calls a requester may have in flight, without any connection. */
final class CreditsTest {
    private final Credits credits = new Credits(8);

    @Test
    void thereIsOneCreditUntilAGrant() {
        assertThat(credits.requested()).isEqualTo(8);
        assertThat(takeAll()).isEqualTo(1);

        credits.restore();
        assertThat(credits.isLeft()).isTrue();
        assertThat(takeAll()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 2", "8, 8", "9, 8", "4294967295, 8"})
    void aGrantCountsBetweenOneAndWhatIsRequested(long granted, int calls) {
        credits.granted(granted);

        assertThat(takeAll()).isEqualTo(calls);
        assertThat(credits.isLeft()).isFalse();
    }

    @Test
    void aLowerGrantTakesEffectAsCallsEnd() {
        credits.granted(3);
        assertThat(takeAll()).isEqualTo(3);
        credits.granted(2);
        credits.restore();
        assertThat(credits.isLeft()).isFalse();

        credits.restore();
        assertThat(takeAll()).isEqualTo(1);
    }

    private int takeAll() {
        int taken = 0;
        while (credits.consume()) {
            taken++;
        }
        return taken;
    }
}
