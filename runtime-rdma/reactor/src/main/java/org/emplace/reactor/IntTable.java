// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps {@code int} keys to values without boxing, by open addressing with linear probing. Keys are hashed, because
 * consecutive xids would form one long run, which removal would have to scan. Not thread-safe.
 */
public final class IntTable<V> {
    private static final int FIRST_CAPACITY = 16;
    /** 2³² divided by the golden ratio: multiplying by it spreads consecutive numbers. */
    private static final int SCATTER = 0x9e3779b9;

    private int[] numbers = new int[FIRST_CAPACITY];
    private @Nullable Object[] values = new Object[FIRST_CAPACITY];
    private int size;

    /** Creates an empty table. */
    public IntTable() {}

    /** The number of values. */
    public int size() {
        return size;
    }

    /** Returns the value of a number; null if there is none. */
    @SuppressWarnings("unchecked") // putIfAbsent accepts only V
    public @Nullable V get(int number) {
        return (V) values[placeOf(number)];
    }

    /**
     * Adds a value, unless the number already has one.
     *
     * @return whether the value was added
     */
    public boolean putIfAbsent(int number, V value) {
        int place = placeOf(number);
        if (values[place] != null) {
            return false;
        }
        if (2 * size >= values.length) {
            // First, because it may fail for lack of memory.
            grow();
            place = placeOf(number);
        }
        numbers[place] = number;
        values[place] = value;
        size++;
        return true;
    }

    /** Removes and returns the value of a number; null if there is none. */
    @SuppressWarnings("unchecked") // putIfAbsent accepts only V
    public @Nullable V remove(int number) {
        int place = placeOf(number);
        V removed = (V) values[place];
        if (removed != null) {
            size--;
            closeGap(place);
        }
        return removed;
    }

    /** Returns a new list of the values, in no particular order. */
    @SuppressWarnings("unchecked") // putIfAbsent accepts only V
    public List<V> values() {
        List<V> all = new ArrayList<>(size);
        for (Object value : values) {
            if (value != null) {
                all.add((V) value);
            }
        }
        return all;
    }

    /** Removes all values. */
    public void clear() {
        numbers = new int[FIRST_CAPACITY];
        values = new Object[FIRST_CAPACITY];
        size = 0;
    }

    /** The index of the number, or where it would be added. */
    private int placeOf(int number) {
        int place = home(number);
        while (values[place] != null && numbers[place] != number) {
            place = next(place);
        }
        return place;
    }

    /** The index of the number if there is no collision: the highest bits of the product. */
    private int home(int number) {
        return (number * SCATTER) >>> (Integer.numberOfLeadingZeros(values.length) + 1);
    }

    private int next(int place) {
        return (place + 1) & (values.length - 1);
    }

    /** Moves values that probing would no longer find because of the gap. */
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
        int[] moreNumbers = new int[2 * oldNumbers.length];
        @Nullable Object[] moreValues = new Object[2 * oldValues.length];
        numbers = moreNumbers;
        values = moreValues;
        for (int i = 0; i < oldValues.length; i++) {
            if (oldValues[i] != null) {
                int place = placeOf(oldNumbers[i]);
                numbers[place] = oldNumbers[i];
                values[place] = oldValues[i];
            }
        }
    }
}
