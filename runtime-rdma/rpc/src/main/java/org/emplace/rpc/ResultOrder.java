// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.emplace.rpc.ResultPart.ResultGroup;
import org.emplace.rpc.ResultPlaces.ResultVisit;
import org.emplace.xdr.Payload;
import org.jspecify.annotations.Nullable;

/**
 * The DDP-eligible items of a procedure's results in the order of the XDR stream: the n-th item that a reply contains
 * takes the n-th Write chunk (RFC 8166 section 4.3.2). The order is a tree. Before a call, the runtime goes through it
 * with the arguments, to find what each chunk must have room for. When the results have been decoded, the runtime goes
 * through it with the results, to find the element that each item belongs to; see {@link ResultPlaces}.
 *
 * <p>Immutable. Generated code makes these trees.
 *
 * @param <A> the arguments of the procedure
 * @param <T> the part of the results that this tree describes
 */
public abstract sealed class ResultOrder<A, T> permits ResultItem, ResultGroup, ResultPart, ResultRepetition {

    /** The largest size of an item that the protocol does not limit. */
    public static final long UNBOUNDED = -1;

    /** The largest size of an item that cannot be in the results of a call with these arguments. */
    public static final long ABSENT = -2;

    private final Counts counts;

    /** The item, if there is only one and that is not in an array. */
    private final @Nullable ResultItem<A, ?> only;

    /** The number of items for which callers name destinations, by their indexes. */
    private final int payloads;

    ResultOrder(Counts counts, @Nullable ResultItem<A, ?> only, int payloads) {
        this.counts = counts;
        this.only = only;
        this.payloads = payloads;
    }

    /** Computes the largest size of an item in bytes, {@link #UNBOUNDED} or {@link #ABSENT}. */
    @FunctionalInterface
    public interface Size<A> {

        /**
         * Computes the size for a call.
         *
         * @param index the index of the element of the outermost array or list that contains the item; 0 for an item
         *     outside of arrays and lists
         */
        long of(A arguments, int index);
    }

    /** No items. */
    public static <A, T> ResultOrder<A, T> none() {
        return sequence();
    }

    /**
     * An item for which callers name destinations.
     *
     * @param item its index among such items of the procedure
     * @param path its way through the results, for messages
     * @param value gets it
     */
    public static <A, T> ResultOrder<A, T> payload(
            int item, String path, Size<A> size, Function<T, ? extends Payload> value) {
        return new ResultItem<>(item, path, size, value);
    }

    /**
     * An item that is decoded from its chunk, and has no destination.
     *
     * @param path its way through the results, for messages
     */
    public static <A, T> ResultOrder<A, T> encoded(String path, Size<A> size) {
        return new ResultItem<>(ResultItem.ENCODED, path, size, any -> {
            throw new IllegalStateException(path + " is not a payload");
        });
    }

    /** Parts that follow one another. */
    @SafeVarargs
    @SuppressWarnings("varargs") // The array is only read.
    public static <A, T> ResultOrder<A, T> sequence(ResultOrder<A, T>... parts) {
        return new ResultGroup.Sequence<>(parts);
    }

    /** A part of a struct. */
    public static <A, T, E> ResultOrder<A, T> member(Function<T, E> value, ResultOrder<A, E> order) {
        return new ResultPart.Member<>(value, order);
    }

    /** A part that may be absent. */
    public static <A, T, E> ResultOrder<A, T> option(Function<T, Optional<E>> value, ResultOrder<A, E> order) {
        return new ResultPart.Option<>(value, order);
    }

    /** An array of fixed length. */
    public static <A, T, E> ResultOrder<A, T> fixedArray(
            int size, Function<T, List<E>> value, ResultOrder<A, E> element) {
        return new ResultRepetition<>(
                ResultRepetition.Length.FIXED,
                false,
                any -> size,
                any -> size,
                value,
                element,
                element.counts().times(size));
    }

    /**
     * An array or list of variable length.
     *
     * @param most the largest number of elements; {@link Integer#MAX_VALUE} if it is not limited
     */
    public static <A, T, E> ResultOrder<A, T> array(
            ToIntFunction<A> most, Function<T, List<E>> value, ResultOrder<A, E> element) {
        return array(most, any -> 0, value, element);
    }

    /**
     * Like {@link #array(ToIntFunction, Function, ResultOrder)}, if elements of the arguments determine sizes of items.
     *
     * @param sized the number of these elements; items of later elements have none of these sizes
     */
    public static <A, T, E> ResultOrder<A, T> array(
            ToIntFunction<A> most, ToIntFunction<A> sized, Function<T, List<E>> value, ResultOrder<A, E> element) {
        return new ResultRepetition<>(
                ResultRepetition.Length.BOUNDED,
                false,
                most,
                sized,
                value,
                element,
                element.counts().repeated());
    }

    /**
     * An array whose items have sizes that elements of the arguments determine.
     *
     * @param count the number of these elements in the arguments, which is the largest number of elements
     */
    public static <A, T, E> ResultOrder<A, T> arrayBySize(
            ToIntFunction<A> count, Function<T, List<E>> value, ResultOrder<A, E> element) {
        return new ResultRepetition<>(
                ResultRepetition.Length.AS_ARGUMENTS,
                false,
                count,
                count,
                value,
                element,
                element.counts().repeated());
    }

    /**
     * An array of results of operations, each of which has the items whose sizes its operation determines. An element
     * that lacks one is that of an operation that failed, and the last element.
     *
     * @param count as for {@link #arrayBySize}
     */
    public static <A, T, E> ResultOrder<A, T> operations(
            ToIntFunction<A> count, Function<T, List<E>> value, ResultOrder<A, E> element) {
        return new ResultRepetition<>(
                ResultRepetition.Length.OPERATIONS,
                false,
                count,
                count,
                value,
                element,
                element.counts().repeated());
    }

    /**
     * A linked list in whose elements items follow the link. In the stream, these come after all elements, those of the
     * last element first (RFC 4506 section 4.19).
     *
     * @param most as for {@link #array}
     * @param before the items of an element before its link
     * @param after the items of an element after its link
     */
    public static <A, T, E> ResultOrder<A, T> linked(
            ToIntFunction<A> most, Function<T, List<E>> value, ResultOrder<A, E> before, ResultOrder<A, E> after) {
        return linked(most, any -> 0, value, before, after);
    }

    /**
     * Like {@link #linked(ToIntFunction, Function, ResultOrder, ResultOrder)}, if elements of the arguments determine sizes
     * of items.
     *
     * @param sized as for {@link #array(ToIntFunction, ToIntFunction, Function, ResultOrder)}
     */
    public static <A, T, E> ResultOrder<A, T> linked(
            ToIntFunction<A> most,
            ToIntFunction<A> sized,
            Function<T, List<E>> value,
            ResultOrder<A, E> before,
            ResultOrder<A, E> after) {
        return sequence(
                array(most, sized, value, before),
                new ResultRepetition<>(
                        ResultRepetition.Length.BOUNDED,
                        true,
                        most,
                        sized,
                        value,
                        after,
                        after.counts().reversed()));
    }

    /**
     * A linked list like {@link #linked}, whose items have sizes that elements of the arguments determine.
     *
     * @param count as for {@link #arrayBySize}
     */
    public static <A, T, E> ResultOrder<A, T> linkedBySize(
            ToIntFunction<A> count, Function<T, List<E>> value, ResultOrder<A, E> before, ResultOrder<A, E> after) {
        return sequence(
                arrayBySize(count, value, before),
                new ResultRepetition<>(
                        ResultRepetition.Length.AS_ARGUMENTS,
                        true,
                        count,
                        count,
                        value,
                        after,
                        after.counts().reversed()));
    }

    /** Parts of which a result has at most one: the arms of a union. */
    @SafeVarargs
    @SuppressWarnings("varargs") // The array is only read.
    public static <A, T> ResultOrder<A, T> choice(ResultOrder<A, T>... arms) {
        return new ResultGroup.Choice<>(arms);
    }

    /** The part of values of one class. */
    public static <A, T, E extends T> ResultOrder<A, T> arm(Class<E> arm, ResultOrder<A, E> order) {
        return new ResultPart.Arm<>(arm, order);
    }

    /** The item, if there is only one and that is not in an array; otherwise null. */
    @Nullable
    ResultItem<A, ?> only() {
        return only;
    }

    /** The number of items for which callers name destinations: one more than the highest of their indexes. */
    final int payloads() {
        return payloads;
    }

    /** How many items there are. */
    final Counts counts() {
        return counts;
    }

    /** Whether there are no items. */
    public boolean isEmpty() {
        return counts.most() == 0;
    }

    /**
     * Whether the n-th item of every result is the n-th one of a result that has all items. If so, results need not be
     * visited.
     */
    final boolean isFixed() {
        return counts.isFixedOrder();
    }

    /**
     * Adds the items of a call's results to a layout.
     *
     * @param index the index of the element of the outermost array
     * @param element the index of the element of the innermost array
     */
    abstract void layOut(A arguments, int index, int element, ResultLayout layout);

    /** Visits the payloads of a result. The parameter {@code element} is as for {@link #layOut}. */
    abstract void visit(T value, int element, ResultVisit visit);

    /**
     * Returns how many elements of the innermost array around this part a call must expect, so that there is a place for
     * each destination of its items.
     */
    abstract int named(A arguments, Destinations destinations);

    /**
     * Requires as many destinations of each item as elements if callers can know their number, otherwise at most as many.
     *
     * @param elements the largest number of elements of the innermost array around this part, counted through; 1 outside
     * @param isExact whether callers can know that there are as many
     * @throws IllegalArgumentException if there are more or fewer destinations
     */
    abstract void requireSuitable(A arguments, Destinations destinations, long elements, boolean isExact);

    /** The way through the results to a payload item of this part; null if it is of another part. */
    abstract @Nullable String path(int item);

    /** The way to an element of a payload item, for messages. */
    final String name(int item, int element) {
        String path = path(item);
        if (path == null) {
            return "item " + item;
        }
        return path.contains("[]") ? path + " of element " + element : path;
    }

    /**
     * How many items a tree describes, whatever the arguments.
     *
     * @param least of one result
     * @param most of one result; {@link #MANY} if a list or array determines it
     * @param isFixedOrder whether the n-th item of every result is the n-th one of a result that has all items, so that
     *     an item's place follows from its number
     */
    record Counts(int least, int most, boolean isFixedOrder) {
        /** Stands for a number that is not limited. */
        static final int MANY = Integer.MAX_VALUE;

        static final Counts NONE = new Counts(0, 0, true);
        static final Counts ONE = new Counts(1, 1, true);

        boolean isConstant() {
            return least == most;
        }

        Counts then(Counts next) {
            boolean isFixed = isFixedOrder && next.isFixedOrder && (isConstant() || next.most == 0);
            return new Counts(sum(least, next.least), sum(most, next.most), isFixed);
        }

        Counts times(int size) {
            boolean isFixed = isFixedOrder && (isConstant() || size <= 1);
            return new Counts(product(least, size), product(most, size), isFixed);
        }

        /** The same items, or none. */
        Counts orNone() {
            return new Counts(0, most, isFixedOrder);
        }

        /** The items of any number of elements. */
        Counts repeated() {
            return new Counts(0, most == 0 ? 0 : MANY, isFixedOrder && isConstant());
        }

        /** The items of any number of elements, the last one first. */
        Counts reversed() {
            return new Counts(0, most == 0 ? 0 : MANY, most == 0);
        }

        private static int sum(int one, int other) {
            return (int) Math.min(MANY, (long) one + other);
        }

        private static int product(int one, int other) {
            return (int) Math.min(MANY, (long) one * other);
        }
    }
}
