// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps int to values without boxing: open addressing, linear probing. Keys are hashed, because consecutive xids would form one long run that
 * removal scans. Not thread-safe.
 */
public final class IntTable<V> {
    private static final int FIRST_CAPACITY = 16;
    /** 2 to the power of 32 by the golden ratio: its multiples by successive numbers lie far apart. */
    private static final int SCATTER = 0x9e3779b9;

    private int[] numbers = new int[FIRST_CAPACITY];
    private @Nullable Object[] values = new Object[FIRST_CAPACITY];
    private int size;

    /** A table without values. */
    public IntTable() {}

    /** How many values there are. */
    public int size() {
        return size;
    }

    /** The value of a number; null if it has none. */
    @SuppressWarnings("unchecked") // what put took
    public @Nullable V get(int number) {
        return (V) values[placeOf(number)];
    }

    /**
     * Adds a value.
     *
     * @return whether the number had none; where it had one, that one stays
     */
    public boolean putIfAbsent(int number, V value) {
        int place = placeOf(number);
        if (values[place] != null) {
            return false;
        }
        numbers[place] = number;
        values[place] = value;
        size++;
        if (2 * size > values.length) {
            grow();
        }
        return true;
    }

    /** Takes a value out; null if the number had none. */
    @SuppressWarnings("unchecked") // what put took
    public @Nullable V remove(int number) {
        int place = placeOf(number);
        V removed = (V) values[place];
        if (removed != null) {
            size--;
            closeGap(place);
        }
        return removed;
    }

    /** The values now, in no order; a list of the caller's own. */
    @SuppressWarnings("unchecked") // what put took
    public List<V> values() {
        List<V> all = new ArrayList<>(size);
        for (Object value : values) {
            if (value != null) {
                all.add((V) value);
            }
        }
        return all;
    }

    /** Takes all values out. */
    public void clear() {
        numbers = new int[FIRST_CAPACITY];
        values = new Object[FIRST_CAPACITY];
        size = 0;
    }

    /** Where the number is, or would be. */
    private int placeOf(int number) {
        int place = home(number);
        while (values[place] != null && numbers[place] != number) {
            place = next(place);
        }
        return place;
    }

    /** The highest bits of the product, as many as a place has. */
    private int home(int number) {
        return (number * SCATTER) >>> (Integer.numberOfLeadingZeros(values.length) + 1);
    }

    private int next(int place) {
        return (place + 1) & (values.length - 1);
    }

    /** Moves back the values that a probe would no longer find behind the gap. */
    private void closeGap(int gap) {
        int hole = gap;
        for (int place = next(hole); values[place] != null; place = next(place)) {
            int home = home(numbers[place]);
            boolean reachable = hole < place ? (hole < home && home <= place) : (hole < home || home <= place);
            if (!reachable) {
                numbers[hole] = numbers[place];
                values[hole] = values[place];
                hole = place;
            }
        }
        values[hole] = null;
    }

    private void grow() {
        int[] oldNumbers = numbers;
        @Nullable Object[] oldValues = values;
        numbers = new int[2 * oldNumbers.length];
        values = new Object[2 * oldValues.length];
        for (int i = 0; i < oldValues.length; i++) {
            if (oldValues[i] != null) {
                int place = placeOf(oldNumbers[i]);
                numbers[place] = oldNumbers[i];
                values[place] = oldValues[i];
            }
        }
    }
}
