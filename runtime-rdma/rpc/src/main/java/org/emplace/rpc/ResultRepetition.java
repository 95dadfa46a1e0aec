// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** The items of the elements of an array or list. */
final class ResultRepetition<A, T, E> extends ResultOrder<A, T> {

    /** What is known about the number of elements before the call. */
    enum Length {
        /** It is fixed. */
        FIXED,
        /** At most that of an array in the arguments, which determines the sizes of the items. */
        AS_ARGUMENTS,
        /** As {@link #AS_ARGUMENTS}; an element that lacks an item is the last one. */
        OPERATIONS,
        /** It has a limit, or none. */
        BOUNDED
    }

    private final Length length;
    /** The number of elements of an array of fixed length. */
    private final int fixed;
    /** Whether the items come in the reverse order of the elements. */
    private final boolean isReversed;

    private final ToIntFunction<A> most;

    /** The number of elements of the arguments that determine sizes of items. */
    private final ToIntFunction<A> sized;

    private final Function<T, List<E>> value;
    private final ResultOrder<A, E> element;
    private final List<ResultItem<A, ?>> items = new ArrayList<>();
    private final List<ResultRepetition<A, ?, ?>> inner = new ArrayList<>();

    /** An array of fixed length. */
    ResultRepetition(int size, Function<T, List<E>> value, ResultOrder<A, E> element) {
        this(
                Length.FIXED,
                size,
                false,
                any -> size,
                any -> 0,
                value,
                element,
                element.counts().times(size));
    }

    ResultRepetition(
            Length length,
            boolean isReversed,
            ToIntFunction<A> most,
            ToIntFunction<A> sized,
            Function<T, List<E>> value,
            ResultOrder<A, E> element,
            ItemCounts counts) {
        this(length, 0, isReversed, most, sized, value, element, counts);
    }

    private ResultRepetition(
            Length length,
            int fixed,
            boolean isReversed,
            ToIntFunction<A> most,
            ToIntFunction<A> sized,
            Function<T, List<E>> value,
            ResultOrder<A, E> element,
            ItemCounts counts) {
        super(counts, null, element.payloads());
        this.length = length;
        this.fixed = fixed;
        this.isReversed = isReversed;
        this.most = most;
        this.sized = sized;
        this.value = value;
        this.element = element;
        element.payloads(items::add);
        element.arrays(inner::add);
    }

    @Override
    void layOut(A arguments, int index, int outer, ResultLayout layout) {
        int possible = possible(arguments);
        boolean isOutermost = layout.isOutermost();
        if (layout.isRest()) {
            layOutAlike(arguments, index, possible, layout);
            return;
        }
        int named = named(arguments, layout.destinations());
        if (named == 0 && layout.isCounting()) {
            return; // Nobody asks for the numbers of these elements.
        }
        int certain = certain(named, possible, layout);
        int elements = Math.max(certain, further(named, possible, layout));
        int first = layout.elements().add(this, isExact() ? possible : certain);
        int least = layout.least();
        boolean isBackward = isReversed && !layout.isCounting();
        if (isBackward) {
            layOutRest(arguments, index, elements, possible, isOutermost, layout);
        }
        int left = layout.enter();
        boolean before = layout.optional(false);
        List<ElementCounts> counts = isBackward && named > 0 && !inner.isEmpty()
                ? innerElements(arguments, index, elements, certain, isOutermost, layout)
                : List.of();
        for (int i = 0; i < elements; i++) {
            int at = isBackward ? elements - 1 - i : i;
            if (!isBackward && i >= certain && layout.furtherPlaces() == 0) {
                elements = i;
                break;
            }
            if (named == 0) {
                layout.countUnnamed();
            }
            layout.left(Math.max(1, certain - at));
            if (!counts.isEmpty()) {
                layout.elements(counts.get(at));
            }
            element.layOut(arguments, isOutermost ? at : index, first + at, layout);
            if (length == Length.OPERATIONS) {
                layout.goTo(layout.position(), layout.position(), layout.most());
            } else if (isBackward) {
                // Elements after this one, whose items come before, may be missing.
                layout.goTo(least, layout.position(), layout.most());
            }
        }
        if (!counts.isEmpty()) {
            layout.elements(counts.get(counts.size() - 1));
        }
        layout.optional(before);
        layout.leave(left);
        if (length != Length.FIXED) {
            layout.goTo(least, layout.position(), layout.most());
        }
        if (!isBackward) {
            layOutRest(arguments, index, elements, possible, isOutermost, layout);
        }
        if (isOutermost) {
            requireSuitable(true, possible, layout);
        }
    }

    /**
     * The elements of inner arrays that come before each element, and before the end. They are counted in the order of the
     * elements, also if the items come in the reverse order.
     */
    private List<ElementCounts> innerElements(
            A arguments, int index, int elements, int certain, boolean isOutermost, ResultLayout layout) {
        List<ElementCounts> before = new ArrayList<>(elements + 1);
        layout.counting(true);
        for (int i = 0; i < elements; i++) {
            before.add(layout.elements().copy());
            layout.left(Math.max(1, certain - i));
            element.layOut(arguments, isOutermost ? i : index, ResultLayout.NO_ELEMENT, layout);
        }
        layout.counting(false);
        before.add(layout.elements());
        return before;
    }

    void allItems(Consumer<ResultItem<A, ?>> each) {
        items.forEach(each);
        inner.forEach(array -> array.allItems(each));
    }

    private int possible(A arguments) {
        return Math.max(0, most.applyAsInt(arguments));
    }

    /** Whether callers can know the number of elements. */
    private boolean isExact() {
        return length == Length.FIXED || length == Length.AS_ARGUMENTS || length == Length.OPERATIONS;
    }

    /**
     * The number of elements to provide chunks for in any case: as many as there are destinations. Within another array,
     * destinations are divided evenly, because how many elements each has is unknown.
     */
    private int certain(int named, int possible, ResultLayout layout) {
        if (named == 0) {
            return length == Length.FIXED ? fixedElements(layout) : 0;
        } else if (isExact()) {
            return possible;
        }
        int further = Math.max(0, named - layout.elements().of(this));
        return Math.min(possible, Math.floorDiv(further + layout.left() - 1, layout.left()));
    }

    private int fixedElements(ResultLayout layout) {
        int elements = Math.min(fixed, layout.furtherElements());
        if (elements < fixed) {
            layout.cut();
        }
        return elements;
    }

    /**
     * The number of elements to provide chunks for as long as the call can have more chunks, if no destinations are named.
     * An array without a bound has as many chunks as the binding states, also if it has fewer destinations.
     */
    private int further(int named, int possible, ResultLayout layout) {
        boolean isStated = possible == Integer.MAX_VALUE && layout.isOutermost();
        if (!layout.limits().isLimited(possible) || (named > 0 && !isStated)) {
            return 0;
        }
        int further = Math.min(possible, layout.furtherElements());
        return isReversed ? Math.min(further, layout.furtherPlaces()) : further;
    }

    /** The number of elements that are needed for all destinations of their items, also of those in arrays within. */
    private int named(A arguments, Destinations destinations) {
        int most = 0;
        for (ResultItem<A, ?> item : items) {
            most = Math.max(most, destinations.count(item.item));
        }
        for (ResultRepetition<A, ?, ?> each : inner) {
            int within = each.named(arguments, destinations);
            int ofEach = each.isExact() ? Math.max(1, each.possible(arguments)) : ItemCounts.MANY;
            most = Math.max(most, (int) (((long) within + ofEach - 1) / ofEach));
        }
        return most;
    }

    /** Lays out the elements for which the call has no chunks: one by one as far as the arguments have sizes for them. */
    private void layOutRest(A arguments, int index, int first, int possible, boolean isOutermost, ResultLayout layout) {
        int next = first;
        if (isOutermost && next < possible) {
            int withSizes = Math.min(possible, sized.applyAsInt(arguments));
            while (next < withSizes) {
                layOutAlike(arguments, next++, 1, layout);
            }
        }
        int count = possible == Integer.MAX_VALUE ? possible : possible - next;
        layOutAlike(arguments, isOutermost ? next : index, count, layout);
    }

    /** Lays out a number of elements without chunks whose items have the same sizes. */
    private void layOutAlike(A arguments, int index, int count, ResultLayout layout) {
        if (count <= 0 || layout.isCounting()) {
            return;
        }
        int before = layout.beginRest();
        boolean wasOptional = layout.optional(false);
        element.layOut(arguments, index, ResultLayout.NO_ELEMENT, layout);
        layout.optional(wasOptional);
        layout.endRest(before, count);
    }

    /** Requires as many destinations as elements if callers can know that, otherwise at most as many as possible. */
    private void requireSuitable(boolean isOuterExact, int possible, ResultLayout layout) {
        boolean isExact = isOuterExact && isExact();
        int elements = layout.elements().of(this);
        for (ResultItem<A, ?> item : items) {
            int named = layout.destinations().count(item.item);
            if (isExact ? named != 0 && named != elements : named > possible) {
                throw new IllegalArgumentException(named + " destinations for " + item.path + ", which has "
                        + (isExact ? "" : "at most ") + (isExact ? elements : possible) + " elements");
            }
        }
        for (ResultRepetition<A, ?, ?> each : inner) {
            each.requireSuitable(isExact, ItemCounts.MANY, layout);
        }
    }

    @Override
    void visit(T holder, int outer, ResultVisit visit) {
        List<E> elements = value.apply(holder);
        int first = visit.elements().add(this, elements.size());
        for (int i = 0; i < elements.size(); i++) {
            element.visit(elements.get(i), first + i, visit);
        }
    }

    @Override
    void skip(int times, ResultVisit visit) {
        if (length == Length.FIXED) {
            int elements = (int) Math.min(Integer.MAX_VALUE, (long) times * fixed);
            visit.elements().add(this, elements);
            element.skip(elements, visit);
        }
    }

    @Override
    void payloads(Consumer<ResultItem<A, ?>> each) {}

    @Override
    void arrays(Consumer<ResultRepetition<A, ?, ?>> arrays) {
        arrays.accept(this);
    }
}
