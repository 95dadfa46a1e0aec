// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Decides what a full cache drops that all peers share: the least recently used entry of the peer that uses most of it. So a peer that uses much displaces its own
 * entries, and none of those that use less. An entry that several peers use counts for one of them: whenever another one uses it, for the one that uses less.
 * Not safe for use by several threads.
 *
 * @param <K> the key of an entry
 */
public final class CacheShares<K> {
    private final Map<K, Entry<K>> entries = new HashMap<>();
    private final Map<Object, Share<K>> shares = new HashMap<>();
    private final TreeSet<Share<K>> byWeight = new TreeSet<>(
            Comparator.<Share<K>>comparingLong(share -> share.weight).thenComparing(share -> share.number));
    private long made;
    private long weight;

    /** What one peer uses, the least recently used entry first. */
    private static final class Share<K> {
        private final Object peer;
        private final long number;
        private final Map<K, Entry<K>> entries = new LinkedHashMap<>(8, 0.75f, true);
        private long weight;

        Share(Object peer, long number) {
            this.peer = peer;
            this.number = number;
        }
    }

    private static final class Entry<K> {
        private Share<K> share;
        private long weight;

        Entry(Share<K> share) {
            this.share = share;
        }
    }

    /**
     * Notes that a peer uses an entry, which may be new.
     *
     * @param peer equal for everything that counts together
     * @param weight the entry's weight from now on; not negative
     */
    public void use(Object peer, K key, long weight) {
        Share<K> share = shares.computeIfAbsent(peer, p -> new Share<>(p, made++));
        Entry<K> entry = entries.computeIfAbsent(key, k -> new Entry<>(share));
        Share<K> former = entry.share;
        boolean moves = former != share && share.weight < former.weight;
        weigh(former, (moves ? 0 : weight) - entry.weight);
        if (moves) {
            former.entries.remove(key);
            forgetIfEmpty(former);
            entry.share = share;
            weigh(share, weight);
        }
        this.weight += weight - entry.weight;
        entry.weight = weight;
        // This makes it the most recently used one.
        entry.share.entries.put(key, entry);
        forgetIfEmpty(share);
    }

    /** Notes that an entry, if there is one, is used by whom it counts for. */
    public void touch(K key) {
        Entry<K> entry = entries.get(key);
        if (entry != null) {
            entry.share.entries.get(key);
        }
    }

    /** Notes that an entry is no longer in the cache. */
    public void remove(K key) {
        Entry<K> entry = entries.remove(key);
        if (entry != null) {
            weigh(entry.share, -entry.weight);
            weight -= entry.weight;
            entry.share.entries.remove(key);
            forgetIfEmpty(entry.share);
        }
    }

    private void weigh(Share<K> share, long change) {
        byWeight.remove(share);
        share.weight += change;
        byWeight.add(share);
    }

    private void forgetIfEmpty(Share<K> share) {
        if (share.entries.isEmpty()) {
            byWeight.remove(share);
            shares.remove(share.peer);
        }
    }

    /** The entry to drop next among those that may be dropped. */
    public Optional<K> next(Predicate<K> mayBeDropped) {
        for (Share<K> share : byWeight.descendingSet()) {
            for (K key : share.entries.keySet()) {
                if (mayBeDropped.test(key)) {
                    return Optional.of(key);
                }
            }
        }
        return Optional.empty();
    }

    /** The number of entries. */
    public int size() {
        return entries.size();
    }

    /** The weight of all entries together. */
    public long weight() {
        return weight;
    }
}
