// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

/**
 * How many items a tree describes, whatever the arguments.
 *
 * @param least of one result
 * @param most of one result; {@link #MANY} if a list or array determines it
 * @param isFixedOrder whether the n-th item of every result is the n-th one of a result that has all items, so that
 *     an item's place follows from its number
 */
record ItemCounts(int least, int most, boolean isFixedOrder) {
    /** Stands for a number that is not limited. */
    static final int MANY = Integer.MAX_VALUE;

    static final ItemCounts NONE = new ItemCounts(0, 0, true);
    static final ItemCounts ONE = new ItemCounts(1, 1, true);

    boolean isConstant() {
        return least == most;
    }

    ItemCounts then(ItemCounts next) {
        boolean isFixed = isFixedOrder && next.isFixedOrder && (isConstant() || next.most == 0);
        return new ItemCounts(sum(least, next.least), sum(most, next.most), isFixed);
    }

    ItemCounts times(int size) {
        boolean isFixed = isFixedOrder && (isConstant() || size <= 1);
        return new ItemCounts(product(least, size), product(most, size), isFixed);
    }

    /** The same items, or none. */
    ItemCounts orNone() {
        return new ItemCounts(0, most, isFixedOrder);
    }

    /** The items of any number of elements. */
    ItemCounts repeated() {
        return new ItemCounts(0, most == 0 ? 0 : MANY, isFixedOrder && isConstant());
    }

    /** The items of any number of elements, the last one first. */
    ItemCounts reversed() {
        return new ItemCounts(0, most == 0 ? 0 : MANY, most == 0);
    }

    private static int sum(int one, int other) {
        return (int) Math.min(MANY, (long) one + other);
    }

    private static int product(int one, int other) {
        return (int) Math.min(MANY, (long) one * other);
    }
}
