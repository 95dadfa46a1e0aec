// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Random numbers by key. A number depends on the seed and on its key only, so it stays the same whatever else is drawn.
 * That makes cases easy to shrink: any number can be replaced by a smaller one, and 0 is always the simplest choice.
 */
final class Draws {
    private static final long GAMMA = 0x9e3779b97f4a7c15L;

    private final Source source;
    private final long key;

    /** A seed, with smaller numbers for some keys. */
    static final class Source {
        private final long seed;
        private final boolean isRecorded;
        private final Map<Long, Integer> replaced;
        private final Map<Long, Integer> drawn = new LinkedHashMap<>();

        private Source(long seed, boolean isRecorded, Map<Long, Integer> replaced) {
            this.seed = seed;
            this.isRecorded = isRecorded;
            this.replaced = Map.copyOf(replaced);
        }

        /** The recorded numbers by their keys, in the order in which they were drawn. */
        Map<Long, Integer> drawn() {
            return drawn;
        }
    }

    private Draws(Source source, long key) {
        this.source = source;
        this.key = key;
    }

    /** The numbers of a seed. */
    static Draws of(long seed) {
        return new Draws(new Source(mixed(seed + GAMMA), false, Map.of()), 0);
    }

    /** The numbers of a seed, with others in place of some. They are recorded. */
    static Draws of(long seed, Map<Long, Integer> replaced) {
        return new Draws(new Source(mixed(seed + GAMMA), true, replaced), 0);
    }

    Source source() {
        return source;
    }

    /** Numbers of their own, independent of all others. */
    Draws at(String label) {
        return at(label.hashCode());
    }

    /** Like {@link #at(String)}. */
    Draws at(int label) {
        return new Draws(source, mixed(key + GAMMA * (label + 1L)));
    }

    /** The number of this key: from 0, less than the bound. */
    int below(int bound) {
        int number = (int) Math.floorMod(mixed(source.seed ^ key), (long) bound);
        if (!source.replaced.isEmpty()) {
            number = Math.min(source.replaced.getOrDefault(key, number), bound - 1);
        }
        if (source.isRecorded) {
            source.drawn.put(key, number);
        }
        return number;
    }

    /** True once in so many times. */
    boolean oneIn(int times) {
        return below(times) == times - 1;
    }

    /** A number from 0 up to and including the limit, which may be large. */
    long upTo(long limit) {
        return below((int) Math.min(limit + 1, Integer.MAX_VALUE));
    }

    /** A seed for bytes, which cannot be shrunk. */
    long bytes() {
        return mixed(source.seed ^ key ^ GAMMA);
    }

    private static long mixed(long number) {
        long z = (number ^ number >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
