// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SequenceWindowTest {
    private final SequenceWindow window = new SequenceWindow();

    @Test
    void aNumberIsNewOnce() {
        assertThat(window.isNew(0)).isTrue();
        assertThat(window.isNew(0)).isFalse();
        assertThat(window.isNew(2)).isTrue();
        assertThat(window.isNew(1)).isTrue();
        assertThat(window.isNew(2)).isFalse();
        assertThat(window.isNew(1)).isFalse();
    }

    @Test
    void aNumberThatIsOlderThanTheWindowIsNotNew() {
        window.isNew(SequenceWindow.SIZE);

        assertThat(window.isNew(0)).isFalse();
        assertThat(window.isNew(1)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theWindowAgreesWithASetOfAllNumbers(long seed) {
        Random random = new Random(seed);
        Set<Long> seen = new HashSet<>();
        long latest = -1;
        for (int i = 0; i < 200_000; i++) {
            long step = random.nextInt(100) == 0 ? random.nextInt(2 * SequenceWindow.SIZE) : random.nextInt(8);
            long number = Math.max(
                    0,
                    latest
                            + 3
                            - (random.nextBoolean() ? step : random.nextInt(SequenceWindow.SIZE + 64))
                            + (random.nextInt(50) == 0 ? step : 0));
            boolean expected = number > latest - SequenceWindow.SIZE && seen.add(number);

            assertThat(window.isNew(number))
                    .as("number %d, latest %d", number, latest)
                    .isEqualTo(expected);
            latest = expected ? Math.max(latest, number) : latest;
        }
        assertThat(latest).isGreaterThan(2L * SequenceWindow.SIZE);
    }
}
