// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.ArrayList;
import java.util.List;

/** The number of elements that have been met of each array. An array within another is met several times. */
final class ElementCounts {
    private final List<Object> arrays = new ArrayList<>(2);
    private final List<Integer> counts = new ArrayList<>(2);

    /** Returns the number of elements met before, and adds {@code more}. */
    int add(Object array, int more) {
        for (int i = 0; i < arrays.size(); i++) {
            if (arrays.get(i) == array) {
                return counts.set(i, counts.get(i) + more);
            }
        }
        arrays.add(array);
        counts.add(more);
        return 0;
    }

    /** The same numbers, which change on their own. */
    ElementCounts copy() {
        ElementCounts copy = new ElementCounts();
        copy.arrays.addAll(arrays);
        copy.counts.addAll(counts);
        return copy;
    }

    /** The number of elements met. */
    int of(Object array) {
        return add(array, 0);
    }
}
