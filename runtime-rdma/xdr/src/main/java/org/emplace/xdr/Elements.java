// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.Arrays;
import java.util.List;

/**
 * Collects the elements of an array while it is decoded. It grows with the elements, so that a count alone makes it
 * allocate nothing.
 */
final class Elements<T> {
    private Object[] values;
    private int count;

    /** @param capacity initial capacity in elements */
    Elements(int capacity) {
        values = new Object[capacity];
    }

    void add(T value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, Math.max(4, 2 * count));
        }
        values[count++] = value;
    }

    /** Returns the elements as an unmodifiable list. */
    @SuppressWarnings("unchecked") // add accepts only T
    List<T> toList() {
        return (List<T>) List.of(count == values.length ? values : Arrays.copyOf(values, count));
    }
}
