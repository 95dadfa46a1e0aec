// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

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
    void skip(int times, ResultVisit visit) {
        inner.skip(times, visit);
    }

    @Override
    void payloads(Consumer<ResultItem<A, ?>> items) {
        inner.payloads(items);
    }

    @Override
    void arrays(Consumer<ResultRepetition<A, ?, ?>> arrays) {
        inner.arrays(arrays);
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
            } else {
                skip(1, visit);
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
            } else {
                skip(1, visit);
            }
        }
    }
}
