// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A full cache drops what the peer with the largest share has not used for longest. */
class CacheSharesTest {
    private final CacheShares<String> shares = new CacheShares<>();

    private String dropped() {
        String key = shares.next(each -> true).orElseThrow();
        shares.remove(key);
        return key;
    }

    @Test
    void aPeerDisplacesItsOwnEntries() {
        shares.use("good", "open", 1);
        for (int i = 0; i < 100; i++) {
            shares.use("bad", "flood " + i, 1);
        }
        for (int i = 0; i < 99; i++) {
            assertThat(dropped()).isEqualTo("flood " + i);
        }
    }

    @Test
    void onePeerDisplacesTheLeastRecentlyUsed() {
        shares.use("peer", "a", 1);
        shares.use("peer", "b", 1);
        shares.use("peer", "c", 1);
        shares.use("peer", "a", 1);
        shares.touch("b");
        assertThat(List.of(dropped(), dropped(), dropped())).containsExactly("c", "a", "b");
        assertThat(shares.next(each -> true)).isEmpty();
    }

    /** So a flood takes nobody's entries over by using them too. */
    @Test
    void aSharedEntryCountsForThePeerThatUsesLess() {
        shares.use("good", "shared", 1);
        for (int i = 0; i < 10; i++) {
            shares.use("bad", "flood " + i, 1);
        }
        shares.use("bad", "shared", 1);
        shares.use("good", "flood 0", 1);
        for (int i = 1; i < 9; i++) {
            assertThat(dropped()).isEqualTo("flood " + i);
        }
    }

    @Test
    void weightCountsAndNotTheNumber() {
        for (int i = 0; i < 10; i++) {
            shares.use("many", "small " + i, 1);
        }
        shares.use("one", "large", 11);
        assertThat(shares.weight()).isEqualTo(21);
        assertThat(shares.next(key -> !key.equals("large"))).contains("small 0");
        assertThat(dropped()).isEqualTo("large");
        shares.use("many", "small 3", 5);
        assertThat(shares.weight()).isEqualTo(14);
        assertThat(dropped()).isEqualTo("small 0");
    }

    /** Compares with shares that are added up anew each time. */
    @Test
    void theSharesAreRightAfterAnyOperations() {
        Random random = new Random(5);
        Map<String, Used> entries = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            String peer = "peer " + random.nextInt(5);
            String key = "key " + random.nextInt(40);
            if (random.nextInt(4) == 0) {
                shares.remove(key);
                entries.remove(key);
            } else {
                long weight = random.nextInt(10);
                String former = entries.getOrDefault(key, new Used(peer, 0)).peer();
                boolean moves = sum(entries.values(), peer) < sum(entries.values(), former);
                entries.put(key, new Used(moves ? peer : former, weight));
                shares.use(peer, key, weight);
            }
            List<Used> all = new ArrayList<>(entries.values());
            assertThat(shares.size()).isEqualTo(all.size());
            assertThat(shares.weight())
                    .isEqualTo(all.stream().mapToLong(Used::weight).sum());
            Set<Long> sums = new LinkedHashSet<>();
            all.forEach(each -> sums.add(sum(all, each.peer())));
            if (!all.isEmpty()) {
                String next = shares.next(each -> true).orElseThrow();
                assertThat(sum(all, Objects.requireNonNull(entries.get(next)).peer()))
                        .isEqualTo(sums.stream().mapToLong(each -> each).max().orElseThrow());
            }
        }
    }

    private record Used(String peer, long weight) {}

    private static long sum(Collection<Used> all, String peer) {
        return all.stream()
                .filter(each -> each.peer().equals(peer))
                .mapToLong(Used::weight)
                .sum();
    }
}
