// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A tree around another one, of a value within the first one's value. */
abstract sealed class ResultPart<A, T, E> extends ResultOrder<A, T> {
    final ResultOrder<A, E> inner;

    private ResultPart(ResultOrder<A, E> inner, ItemCounts counts) {
        super(counts, inner.only(), inner.payloads());
        this.inner = inner;
    }

    @Override
    void layOut(A arguments, int index, int element, ResultLayout layout) {
        inner.layOut(arguments, index, element, layout);
    }

    @Override
    int named(A arguments, Destinations destinations) {
        return inner.named(arguments, destinations);
    }

    @Override
    void requireSuitable(A arguments, Destinations destinations, long elements, boolean isExact) {
        inner.requireSuitable(arguments, destinations, elements, isExact);
    }

    @Override
    @Nullable
    String path(int item) {
        return inner.path(item);
    }

    static final class Member<A, T, E> extends ResultPart<A, T, E> {
        private final Function<T, E> value;

        Member(Function<T, E> value, ResultOrder<A, E> inner) {
            super(inner, inner.counts());
            this.value = value;
        }

        @Override
        void visit(T holder, int element, ResultVisit visit) {
            inner.visit(value.apply(holder), element, visit);
        }
    }

    static final class Option<A, T, E> extends ResultPart<A, T, E> {
        private final Function<T, Optional<E>> value;

        Option(Function<T, Optional<E>> value, ResultOrder<A, E> inner) {
            super(inner, inner.counts().orNone());
            this.value = value;
        }

        @Override
        void layOut(A arguments, int index, int element, ResultLayout layout) {
            int least = layout.least();
            boolean before = layout.optional(true);
            inner.layOut(arguments, index, element, layout);
            layout.optional(before);
            layout.goTo(least, layout.position(), layout.most());
        }

        @Override
        void visit(T holder, int element, ResultVisit visit) {
            Optional<E> present = value.apply(holder);
            if (present.isPresent()) {
                inner.visit(present.get(), element, visit);
            }
        }
    }

    static final class Arm<A, T, E extends T> extends ResultPart<A, T, E> {
        private final Class<E> arm;

        Arm(Class<E> arm, ResultOrder<A, E> inner) {
            super(inner, inner.counts());
            this.arm = arm;
        }

        @Override
        void visit(T union, int element, ResultVisit visit) {
            if (arm.isInstance(union)) {
                inner.visit(arm.cast(union), element, visit);
            }
        }
    }
}
