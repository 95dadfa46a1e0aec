// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.emplace.xdr.Payload;

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
public abstract sealed class ResultOrder<A, T> {

    /** The largest size of an item that the protocol does not limit. */
    public static final long UNBOUNDED = -1;

    /** The largest size of an item that cannot be in the results of a call with these arguments. */
    public static final long ABSENT = -2;

    /** Stands for a number of items that is not limited. */
    private static final int MANY = Integer.MAX_VALUE;

    private final Counts counts;

    private ResultOrder(Counts counts) {
        this.counts = counts;
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

    /**
     * How many items a tree describes, whatever the arguments.
     *
     * @param least of one result
     * @param most of one result; {@link #MANY} if a list or array determines it
     * @param isFixedOrder whether the n-th item of every result is the n-th one of a result that has all items, so that
     *     an item's place follows from its number
     */
    private record Counts(int least, int most, boolean isFixedOrder) {
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

    /** No items. */
    public static <A, T> ResultOrder<A, T> none() {
        return new None<>();
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
        return new Item<>(item, path, size, value);
    }

    /**
     * An item that is decoded from its chunk, and has no destination.
     *
     * @param path its way through the results, for messages
     */
    public static <A, T> ResultOrder<A, T> encoded(String path, Size<A> size) {
        return new Item<>(Item.ENCODED, path, size, any -> {
            throw new IllegalStateException(path + " is not a payload");
        });
    }

    /** Parts that follow one another. */
    @SafeVarargs
    @SuppressWarnings("varargs") // The array is only read.
    public static <A, T> ResultOrder<A, T> sequence(ResultOrder<A, T>... parts) {
        return new Sequence<>(parts);
    }

    /** A part of a struct. */
    public static <A, T, E> ResultOrder<A, T> member(Function<T, E> value, ResultOrder<A, E> order) {
        return new Member<>(value, order);
    }

    /** A part that may be absent. */
    public static <A, T, E> ResultOrder<A, T> option(Function<T, Optional<E>> value, ResultOrder<A, E> order) {
        return new Option<>(value, order);
    }

    /** An array of fixed length. */
    public static <A, T, E> ResultOrder<A, T> fixedArray(
            int size, Function<T, List<E>> value, ResultOrder<A, E> element) {
        return new Repetition<>(Repetition.Length.FIXED, any -> size, value, element, element.counts.times(size));
    }

    /**
     * An array or list of variable length.
     *
     * @param most the largest number of elements; {@link Integer#MAX_VALUE} if it is not limited
     */
    public static <A, T, E> ResultOrder<A, T> array(
            ToIntFunction<A> most, Function<T, List<E>> value, ResultOrder<A, E> element) {
        return new Repetition<>(Repetition.Length.BOUNDED, most, value, element, element.counts.repeated());
    }

    /**
     * An array whose items have sizes that elements of the arguments determine.
     *
     * @param count the number of these elements in the arguments, which is the largest number of elements
     */
    public static <A, T, E> ResultOrder<A, T> arrayBySize(
            ToIntFunction<A> count, Function<T, List<E>> value, ResultOrder<A, E> element) {
        return new Repetition<>(Repetition.Length.AS_ARGUMENTS, count, value, element, element.counts.repeated());
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
            ToIntFunction<A> most,
            Function<T, List<E>> value,
            ResultOrder<A, E> before,
            ResultOrder<A, E> after) {
        return sequence(
                array(most, value, before),
                new Repetition<>(Repetition.Length.REVERSED, most, value, after, after.counts.reversed()));
    }

    /** Parts of which a result has at most one: the arms of a union. */
    @SafeVarargs
    @SuppressWarnings("varargs") // The array is only read.
    public static <A, T> ResultOrder<A, T> choice(ResultOrder<A, T>... arms) {
        return new Choice<>(arms);
    }

    /** The part of values of one class. */
    public static <A, T, E extends T> ResultOrder<A, T> arm(Class<E> arm, ResultOrder<A, E> order) {
        return new Arm<>(arm, order);
    }

    /** Whether there are no items. */
    public boolean isEmpty() {
        return counts.most == 0;
    }

    /**
     * Whether the n-th item of every result is the n-th one of a result that has all items. If so, results need not be
     * visited.
     */
    final boolean isFixed() {
        return counts.isFixedOrder;
    }

    /** Whether there are items for which callers name destinations. */
    private boolean hasPayloads() {
        List<Object> found = new ArrayList<>();
        payloads(found::add);
        arrays(array -> array.allItems(found::add));
        return !found.isEmpty();
    }

    /**
     * Adds the items of a call's results to a layout.
     *
     * @param index the index of the element of the outermost array
     * @param element the index of the element of the innermost array
     */
    abstract void layOut(A arguments, int index, int element, ResultLayout layout);

    /** Visits the payloads of a result. The parameter {@code element} is as for {@link #layOut}. */
    abstract void visit(T value, int element, Visit visit);

    /** The way to an element of a payload item, for messages. */
    final String name(int item, int element) {
        List<String> names = new ArrayList<>(1);
        payloads(each -> each.nameIfIs(item, names));
        arrays(array -> array.allItems(each -> each.nameIfIs(item, names)));
        return names.isEmpty() ? "item " + item : names.get(0).contains("[]") ? names.get(0) + " of element " + element : names.get(0);
    }

    /** Passes on the payload items outside of arrays. */
    abstract void payloads(Consumer<Item<A, ?>> items);

    /** Passes on the arrays that are not in another one. */
    abstract void arrays(Consumer<Repetition<A, ?, ?>> arrays);

    /** Visits the payloads of one result. Counts the elements of arrays within arrays. */
    abstract static class Visit {
        private final ElementCounts elements = new ElementCounts();

        /** The elements visited. */
        final ElementCounts elements() {
            return elements;
        }

        /** Takes a payload with the element that it belongs to. */
        abstract void payload(int item, int element, Payload payload);
    }

    /** The number of elements that have been met of each array. An array within another is met several times. */
    static final class ElementCounts {
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

        /** The number of elements met. */
        int of(Object array) {
            return add(array, 0);
        }
    }

    static final class None<A, T> extends ResultOrder<A, T> {
        private None() {
            super(Counts.NONE);
        }

        @Override
        void layOut(A arguments, int index, int element, ResultLayout layout) {}

        @Override
        void visit(T value, int element, Visit visit) {}

        @Override
        void payloads(Consumer<Item<A, ?>> items) {}

        @Override
        void arrays(Consumer<Repetition<A, ?, ?>> arrays) {}
    }

    /** One item. */
    static final class Item<A, T> extends ResultOrder<A, T> {
        /** The index of items that are no payloads. */
        static final int ENCODED = -1;

        final int item;
        final String path;
        private final Size<A> size;
        private final Function<T, ? extends Payload> value;

        private Item(int item, String path, Size<A> size, Function<T, ? extends Payload> value) {
            super(Counts.ONE);
            this.item = item;
            this.path = path;
            this.size = size;
            this.value = value;
        }

        private void nameIfIs(int wanted, List<String> names) {
            if (item == wanted) {
                names.add(path);
            }
        }

        /** Whether callers name destinations for it. */
        boolean isPayload() {
            return item != ENCODED;
        }

        @Override
        void layOut(A arguments, int index, int element, ResultLayout layout) {
            layout.item(this, element, size.of(arguments, index));
        }

        @Override
        void visit(T parent, int element, Visit visit) {
            if (isPayload()) {
                visit.payload(item, element, value.apply(parent));
            }
        }

        @Override
        void payloads(Consumer<Item<A, ?>> items) {
            if (isPayload()) {
                items.accept(this);
            }
        }

        @Override
        void arrays(Consumer<Repetition<A, ?, ?>> arrays) {}
    }

    /** A tree made of several. */
    private abstract static sealed class Group<A, T> extends ResultOrder<A, T> {
        final List<ResultOrder<A, T>> parts;

        Group(ResultOrder<A, T>[] parts, Counts counts) {
            super(counts);
            this.parts = List.of(parts);
        }

        @Override
        void visit(T value, int element, Visit visit) {
            for (int i = 0; i < parts.size(); i++) {
                parts.get(i).visit(value, element, visit);
            }
        }

        @Override
        void payloads(Consumer<Item<A, ?>> items) {
            parts.forEach(each -> each.payloads(items));
        }

        @Override
        void arrays(Consumer<Repetition<A, ?, ?>> arrays) {
            parts.forEach(each -> each.arrays(arrays));
        }
    }

    private static final class Sequence<A, T> extends Group<A, T> {
        private Sequence(ResultOrder<A, T>[] parts) {
            super(parts, inTurn(parts));
        }

        private static Counts inTurn(ResultOrder<?, ?>[] parts) {
            Counts all = Counts.NONE;
            for (ResultOrder<?, ?> part : parts) {
                all = all.then(part.counts);
            }
            return all;
        }

        @Override
        void layOut(A arguments, int index, int element, ResultLayout layout) {
            for (int i = 0; i < parts.size(); i++) {
                parts.get(i).layOut(arguments, index, element, layout);
            }
        }
    }

    private static final class Choice<A, T> extends Group<A, T> {
        private Choice(ResultOrder<A, T>[] arms) {
            super(arms, largest(arms));
        }

        /** If several arms have payloads, the number of an item does not tell its destination. */
        private static Counts largest(ResultOrder<?, ?>[] arms) {
            int least = arms.length == 0 ? 0 : MANY;
            int most = 0;
            boolean isFixed = true;
            int withPayloads = 0;
            for (ResultOrder<?, ?> arm : arms) {
                least = Math.min(least, arm.counts.least);
                most = Math.max(most, arm.counts.most);
                isFixed &= arm.isFixed();
                withPayloads += arm.hasPayloads() ? 1 : 0;
            }
            return new Counts(least, most, isFixed && withPayloads <= 1);
        }

        @Override
        void layOut(A arguments, int index, int element, ResultLayout layout) {
            int least = layout.least();
            int position = layout.position();
            int most = layout.most();
            int leastAfter = parts.isEmpty() ? least : MANY;
            int positionAfter = position;
            int mostAfter = most;
            for (int i = 0; i < parts.size(); i++) {
                layout.goTo(least, position, most);
                parts.get(i).layOut(arguments, index, element, layout);
                leastAfter = Math.min(leastAfter, layout.least());
                positionAfter = Math.max(positionAfter, layout.position());
                mostAfter = Math.max(mostAfter, layout.most());
            }
            layout.goTo(leastAfter, positionAfter, mostAfter);
        }
    }

    /** A tree around another one, of a value within the first one's value. */
    private abstract static sealed class Around<A, T, E> extends ResultOrder<A, T> {
        final ResultOrder<A, E> inner;

        Around(ResultOrder<A, E> inner, Counts counts) {
            super(counts);
            this.inner = inner;
        }

        @Override
        void layOut(A arguments, int index, int element, ResultLayout layout) {
            inner.layOut(arguments, index, element, layout);
        }

        @Override
        void payloads(Consumer<Item<A, ?>> items) {
            inner.payloads(items);
        }

        @Override
        void arrays(Consumer<Repetition<A, ?, ?>> arrays) {
            inner.arrays(arrays);
        }
    }

    private static final class Member<A, T, E> extends Around<A, T, E> {
        private final Function<T, E> value;

        private Member(Function<T, E> value, ResultOrder<A, E> inner) {
            super(inner, ((ResultOrder<?, ?>) inner).counts);
            this.value = value;
        }

        @Override
        void visit(T holder, int element, Visit visit) {
            inner.visit(value.apply(holder), element, visit);
        }
    }

    private static final class Option<A, T, E> extends Around<A, T, E> {
        private final Function<T, Optional<E>> value;

        private Option(Function<T, Optional<E>> value, ResultOrder<A, E> inner) {
            super(inner, ((ResultOrder<?, ?>) inner).counts.orNone());
            this.value = value;
        }

        @Override
        void layOut(A arguments, int index, int element, ResultLayout layout) {
            int least = layout.least();
            inner.layOut(arguments, index, element, layout);
            layout.goTo(least, layout.position(), layout.most());
        }

        @Override
        void visit(T holder, int element, Visit visit) {
            Optional<E> present = value.apply(holder);
            if (present.isPresent()) {
                inner.visit(present.get(), element, visit);
            }
        }
    }

    private static final class Arm<A, T, E extends T> extends Around<A, T, E> {
        private final Class<E> arm;

        private Arm(Class<E> arm, ResultOrder<A, E> inner) {
            super(inner, ((ResultOrder<?, ?>) inner).counts);
            this.arm = arm;
        }

        @Override
        void visit(T union, int element, Visit visit) {
            if (arm.isInstance(union)) {
                inner.visit(arm.cast(union), element, visit);
            }
        }
    }

    /** The items of the elements of an array or list. */
    static final class Repetition<A, T, E> extends ResultOrder<A, T> {

        /** What is known about the number of elements before the call. */
        enum Length {
            /** It is fixed. */
            FIXED,
            /** At most that of an array in the arguments, which determines the sizes of the items. */
            AS_ARGUMENTS,
            /** It has a limit, or none. */
            BOUNDED,
            /** As {@link #BOUNDED}; the items come in the reverse order of the elements. */
            REVERSED
        }

        private final Length length;
        private final ToIntFunction<A> most;
        private final Function<T, List<E>> value;
        private final ResultOrder<A, E> element;
        private final List<Item<A, ?>> items = new ArrayList<>();
        private final List<Repetition<A, ?, ?>> inner = new ArrayList<>();

        private Repetition(
                Length length,
                ToIntFunction<A> most,
                Function<T, List<E>> value,
                ResultOrder<A, E> element,
                Counts counts) {
            super(counts);
            this.length = length;
            this.most = most;
            this.value = value;
            this.element = element;
            element.payloads(items::add);
            element.arrays(inner::add);
        }

        @Override
        void layOut(A arguments, int index, int outer, ResultLayout layout) {
            int possible = possible(arguments);
            if (layout.isRest()) {
                layOutRest(arguments, index, possible, layout);
                return;
            }
            int elements = isExact() ? possible : expected(arguments, possible, layout);
            boolean isOutermost = layout.isOutermost();
            int first = layout.elements().add(this, elements);
            int least = layout.least();
            int left = layout.enter();
            for (int i = 0; i < elements; i++) {
                int at = length == Length.REVERSED ? elements - 1 - i : i;
                layout.left(elements - i);
                element.layOut(arguments, isOutermost ? at : index, first + at, layout);
                if (length == Length.REVERSED) {
                    // Elements after this one, whose items come before, may be missing.
                    layout.goTo(least, layout.position(), layout.most());
                }
            }
            layout.leave(left);
            if (length != Length.FIXED) {
                layout.goTo(least, layout.position(), layout.most());
            }
            if (possible > elements) {
                layOutRest(arguments, isOutermost ? elements : index, possible - elements, layout);
            }
            if (isOutermost) {
                requireSuitable(true, possible, layout);
            }
        }

        private void allItems(Consumer<Item<A, ?>> each) {
            items.forEach(each);
            inner.forEach(array -> array.allItems(each));
        }

        private int possible(A arguments) {
            return Math.max(0, most.applyAsInt(arguments));
        }

        /** Whether callers can know the number of elements. */
        private boolean isExact() {
            return length == Length.FIXED || length == Length.AS_ARGUMENTS;
        }

        /**
         * The number of elements to provide chunks for: as many as there are destinations. Without any, as many as
         * possible. Within another array, destinations are divided evenly, because how many elements each has is unknown.
         */
        private int expected(A arguments, int possible, ResultLayout layout) {
            int named = named(arguments, layout.destinations());
            if (named > 0) {
                int further = Math.max(0, named - layout.elements().of(this));
                return Math.min(possible, Math.floorDiv(further + layout.left() - 1, layout.left()));
            }
            return layout.limits().elements(possible);
        }

        /** The number of elements that are needed for all destinations of their items, also of those in arrays within. */
        private int named(A arguments, Destinations destinations) {
            int most = 0;
            for (Item<A, ?> item : items) {
                most = Math.max(most, destinations.count(item.item));
            }
            for (Repetition<A, ?, ?> each : inner) {
                int within = each.named(arguments, destinations);
                int ofEach = each.isExact() ? Math.max(1, each.possible(arguments)) : MANY;
                most = Math.max(most, (int) (((long) within + ofEach - 1) / ofEach));
            }
            return most;
        }

        private void layOutRest(A arguments, int index, int count, ResultLayout layout) {
            long before = layout.beginRest();
            element.layOut(arguments, index, ResultLayout.NO_ELEMENT, layout);
            layout.endRest(before, count);
        }

        /** Requires as many destinations as elements if callers can know that, otherwise at most as many as possible. */
        private void requireSuitable(boolean isOuterExact, int possible, ResultLayout layout) {
            boolean isExact = isOuterExact && isExact();
            int elements = layout.elements().of(this);
            for (Item<A, ?> item : items) {
                int named = layout.destinations().count(item.item);
                if (isExact ? named != 0 && named != elements : named > possible) {
                    throw new IllegalArgumentException(named + " destinations for " + item.path + ", which has "
                            + (isExact ? "" : "at most ") + (isExact ? elements : possible) + " elements");
                }
            }
            for (Repetition<A, ?, ?> each : inner) {
                each.requireSuitable(isExact, MANY, layout);
            }
        }

        @Override
        void visit(T holder, int outer, Visit visit) {
            List<E> elements = value.apply(holder);
            int first = visit.elements().add(this, elements.size());
            for (int i = 0; i < elements.size(); i++) {
                element.visit(elements.get(i), first + i, visit);
            }
        }

        @Override
        void payloads(Consumer<Item<A, ?>> each) {}

        @Override
        void arrays(Consumer<Repetition<A, ?, ?>> arrays) {
            arrays.accept(this);
        }
    }
}
