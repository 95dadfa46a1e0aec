// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.Arrays;
import java.util.List;

/** The elements of an array while it is read: room for those that came, so that a count which was only claimed allocates nothing. */
final class Elements<T> {
    private Object[] values;
    private int count;

    /** @param room for how many elements at first */
    Elements(int room) {
        values = new Object[room];
    }

    void add(T value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, Math.max(4, 2 * count));
        }
        values[count++] = value;
    }

    /** An unmodifiable list of them. */
    @SuppressWarnings("unchecked") // what add took
    List<T> toList() {
        return (List<T>) List.of(count == values.length ? values : Arrays.copyOf(values, count));
    }
}
