// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.emplace.tests.codegen.mapping.Node.Repetition;

/**
 * The numbers of elements in the arrays and lists of one value. Elements of an array within another are counted through:
 * first those in the outer array's first element, then those in its second. An array of fixed length counts also where a
 * value lacks it.
 */
final class Elements {
    private static final Comparator<List<Integer>> IN_ORDER = (one, other) -> {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int difference = one.get(i) - other.get(i);
            if (difference != 0) {
                return difference;
            }
        }
        return one.size() - other.size();
    };

    /** For each array, the number of elements by the indexes of the elements that it is in. */
    private final IdentityHashMap<Repetition, SortedMap<List<Integer>, Integer>> counts = new IdentityHashMap<>();

    /** @param in the indexes of the elements that the array is in, the outermost first */
    void add(Repetition array, List<Integer> in, int count) {
        counts.computeIfAbsent(array, any -> new TreeMap<>(IN_ORDER)).put(in, count);
    }

    /** The number of all elements. */
    int all(Repetition array) {
        SortedMap<List<Integer>, Integer> ofArray = counts.get(array);
        return ofArray == null
                ? 0
                : ofArray.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The index of an element, counted through. */
    int index(Repetition array, List<Integer> in, int index) {
        SortedMap<List<Integer>, Integer> ofArray = counts.get(array);
        if (ofArray == null) {
            throw new IllegalArgumentException("no such array");
        }
        return index
                + ofArray.headMap(in).values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
    }
}
