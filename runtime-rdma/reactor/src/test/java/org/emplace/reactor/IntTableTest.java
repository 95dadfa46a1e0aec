// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The table compared with the JDK's map. */
final class IntTableTest {
    private final IntTable<String> table = new IntTable<>();

    @Test
    void aNumberKeepsItsFirstValue() {
        assertThat(table.putIfAbsent(7, "first")).isTrue();
        assertThat(table.putIfAbsent(7, "second")).isFalse();

        assertThat(table.get(7)).isEqualTo("first");
        assertThat(table.remove(7)).isEqualTo("first");
        assertThat(table.get(7)).isNull();
        assertThat(table.remove(7)).isNull();
    }

    @Test
    void theTableBehavesLikeAMap() {
        Random random = new Random(11);
        Map<Integer, String> map = new HashMap<>();
        for (int step = 0; step < 200_000; step++) {
            // A few numbers that are far apart, so that many collide.
            int number = random.nextInt(64) << random.nextInt(27);
            if (random.nextInt(100) < 48) {
                assertThat(table.putIfAbsent(number, "" + step)).isEqualTo(map.putIfAbsent(number, "" + step) == null);
            } else {
                assertThat(table.remove(number)).isEqualTo(map.remove(number));
            }
            assertThat(table.size()).isEqualTo(map.size());
        }

        assertThat(map).hasSizeGreaterThan(100);
        map.forEach((number, value) -> assertThat(table.get(number)).isEqualTo(value));
        assertThat(table.values()).containsExactlyInAnyOrderElementsOf(map.values());
    }

    @Test
    @Timeout(60)
    void removingConsecutiveNumbersTakesTimeProportionalToTheirCount() {
        int count = 1_000_000;
        for (int number = -count / 2; number < count / 2; number++) {
            table.putIfAbsent(number, "value");
        }
        int taken = 0;
        for (int number = -count / 2; number < count / 2; number++) {
            taken += table.remove(number) == null ? 0 : 1;
        }

        assertThat(taken).isEqualTo(count);
    }

    @Test
    void aClearedTableIsEmptyAndUsable() {
        for (int number = 0; number < 1000; number++) {
            table.putIfAbsent(number, "old");
        }
        table.clear();

        assertThat(table.values()).isEmpty();
        assertThat(table.putIfAbsent(-1, "new")).isTrue();
        assertThat(table.get(-1)).isEqualTo("new");
    }
}
