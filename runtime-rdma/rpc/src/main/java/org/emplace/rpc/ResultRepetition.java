// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.emplace.rpc.ResultOrder.Counts;
import org.emplace.rpc.ResultPlaces.ResultVisit;
import org.jspecify.annotations.Nullable;

/**
 * The items of the elements of an array or list. The elements of an array within another one are counted through. One
 * of fixed length counts also in an element that lacks it, so that the numbers of its elements are known before the
 * call. Those of another array within an array are not: it is laid out as if each array were as long as possible until
 * the caller's destinations are used up.
 */
final class ResultRepetition<A, T, E> extends ResultOrder<A, T> {

    /** What is known about the number of elements before the call. */
    enum Length {
        /** It is fixed. */
        FIXED,
        /** At most that of an array in the arguments, which determines the sizes of the items. Not within an array. */
        AS_ARGUMENTS,
        /** As {@link #AS_ARGUMENTS}; an element that lacks an item is the last one. */
        OPERATIONS,
        /** It has a limit, or none. */
        BOUNDED
    }

    private final Length length;
    /** Whether the items come in the reverse order of the elements. */
    private final boolean isReversed;

    private final ToIntFunction<A> most;

    /** The number of elements of the arguments that determine sizes of items. */
    private final ToIntFunction<A> sized;

    private final Function<T, List<E>> value;
    private final ResultOrder<A, E> element;

    ResultRepetition(
            Length length,
            boolean isReversed,
            ToIntFunction<A> most,
            ToIntFunction<A> sized,
            Function<T, List<E>> value,
            ResultOrder<A, E> element,
            Counts counts) {
        super(counts, null, element.payloads());
        this.length = length;
        this.isReversed = isReversed;
        this.most = most;
        this.sized = sized;
        this.value = value;
        this.element = element;
    }

    private int possible(A arguments) {
        return Math.max(0, most.applyAsInt(arguments));
    }

    /** Whether callers can know the number of elements. */
    private boolean isExact() {
        return length != Length.BOUNDED;
    }

    @Override
    void layOut(A arguments, int index, int outer, ResultLayout layout) {
        if (isEmpty()) {
            return;
        }
        int possible = possible(arguments);
        ResultLayout.Around before = layout.around();
        boolean isOutermost = before.isNothing();
        boolean wasOptional = layout.optional(!isOutermost && layout.isOptional());
        layout.enter(before.with(possible, isExact()));
        if (layout.isUnplaced()) {
            layOutUnplaced(arguments, index, possible, layout);
        } else {
            int least = layout.least();
            layOut(arguments, index, outer, possible, isOutermost, layout);
            if (length != Length.FIXED) {
                layout.goTo(least, layout.position(), layout.most());
            }
        }
        layout.enter(before);
        layout.optional(wasOptional);
    }

    private void layOut(A arguments, int index, int outer, int possible, boolean isOutermost, ResultLayout layout) {
        int named = element.named(arguments, layout.destinations());
        long before = (long) outer * possible;
        long first = isExact() ? before : Math.min(before, named);
        int elements = (int) Math.max(0, Math.min(possible, named - first));
        if (isExact() || named == 0) {
            elements += unnamed(possible - elements, layout);
        }
        int least = layout.least();
        if (isReversed) {
            layOutOthers(arguments, index, elements, possible, isOutermost, layout);
        }
        for (int i = 0; i < elements; i++) {
            int at = isReversed ? elements - 1 - i : i;
            if (first + at >= named) {
                if (length != Length.FIXED && !isReversed && layout.furtherPlaces() == 0) {
                    elements = i;
                    break;
                }
                layout.countUnnamed();
            }
            element.layOut(arguments, isOutermost ? at : index, number(first + at), layout);
            if (length == Length.OPERATIONS) {
                layout.goTo(layout.position(), layout.position(), layout.most());
            } else if (isReversed) {
                // Elements after this one, whose items come before, may be missing.
                layout.goTo(least, layout.position(), layout.most());
            }
        }
        if (!isReversed) {
            layOutOthers(arguments, index, elements, possible, isOutermost, layout);
        }
    }

    /** The number of elements without destinations to lay out, of so many that there may be. */
    private int unnamed(int possible, ResultLayout layout) {
        int elements = Math.min(possible, layout.furtherElements());
        if (length == Length.FIXED) {
            if (elements < possible) {
                layout.cut();
            }
            return elements;
        } else if (!layout.limits().isLimited(possible)) {
            return 0;
        }
        return isReversed ? Math.min(elements, layout.furtherPlaces()) : elements;
    }

    /** Lays out the elements that have no places: one by one as far as the arguments have sizes for them. */
    private void layOutOthers(
            A arguments, int index, int first, int possible, boolean isOutermost, ResultLayout layout) {
        int next = first;
        if (isOutermost && next < possible) {
            int withSizes = Math.min(possible, sized.applyAsInt(arguments));
            while (next < withSizes) {
                layOutUnplaced(arguments, next++, 1, layout);
            }
        }
        int count = possible == Counts.MANY ? possible : possible - next;
        layOutUnplaced(arguments, isOutermost ? next : index, count, layout);
    }

    /** Lays out a number of elements without places whose items have the same sizes. */
    private void layOutUnplaced(A arguments, int index, int count, ResultLayout layout) {
        if (count > 0) {
            int before = layout.beginUnplaced();
            element.layOut(arguments, index, ResultLayout.NO_ELEMENT, layout);
            layout.endUnplaced(before, count);
        }
    }

    @Override
    int named(A arguments, Destinations destinations) {
        int within = element.named(arguments, destinations);
        int ofEach = Math.max(1, possible(arguments));
        return (int) (((long) within + ofEach - 1) / ofEach);
    }

    @Override
    void requireSuitable(A arguments, Destinations destinations, long elements, boolean isExact) {
        long all = Math.min(elements * possible(arguments), Counts.MANY);
        element.requireSuitable(arguments, destinations, all, isExact && isExact());
    }

    @Override
    void visit(T holder, int outer, ResultVisit visit) {
        List<E> elements = value.apply(holder);
        long first = length == Length.FIXED ? (long) outer * elements.size() : visit.count(this, elements.size());
        for (int i = 0; i < elements.size(); i++) {
            element.visit(elements.get(i), number(first + i), visit);
        }
    }

    private static int number(long element) {
        return (int) Math.min(element, Counts.MANY);
    }

    @Override
    @Nullable
    String path(int item) {
        return element.path(item);
    }
}
