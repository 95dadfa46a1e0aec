// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.emplace.rpc.ResultOrder.Counts;
import org.emplace.rpc.ResultPlaces.ResultVisit;
import org.jspecify.annotations.Nullable;

/** A tree around another one, of a value within the first one's value. */
abstract sealed class ResultPart<A, T, E> extends ResultOrder<A, T> {
    final ResultOrder<A, E> inner;

    private ResultPart(ResultOrder<A, E> inner, Counts counts) {
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

    /** A tree made of several. */
    abstract static sealed class ResultGroup<A, T> extends ResultOrder<A, T> {
        final List<ResultOrder<A, T>> parts;

        private static <A, T> @Nullable ResultItem<A, ?> onlyOf(ResultOrder<A, T>[] parts) {
            ResultItem<A, ?> only = null;
            int trees = 0;
            for (ResultOrder<A, T> part : parts) {
                if (!part.isEmpty()) {
                    trees++;
                    only = part.only();
                }
            }
            return trees == 1 ? only : null;
        }

        private static int payloadsOf(ResultOrder<?, ?>[] parts) {
            int payloads = 0;
            for (ResultOrder<?, ?> part : parts) {
                payloads = Math.max(payloads, part.payloads());
            }
            return payloads;
        }

        private ResultGroup(ResultOrder<A, T>[] parts, Counts counts) {
            super(counts, onlyOf(parts), payloadsOf(parts));
            this.parts = List.of(parts);
        }

        @Override
        void visit(T value, int element, ResultVisit visit) {
            for (int i = 0; i < parts.size(); i++) {
                parts.get(i).visit(value, element, visit);
            }
        }

        @Override
        int named(A arguments, Destinations destinations) {
            int most = 0;
            for (int i = 0; i < parts.size(); i++) {
                most = Math.max(most, parts.get(i).named(arguments, destinations));
            }
            return most;
        }

        @Override
        void requireSuitable(A arguments, Destinations destinations, long elements, boolean isExact) {
            for (int i = 0; i < parts.size(); i++) {
                parts.get(i).requireSuitable(arguments, destinations, elements, isExact);
            }
        }

        @Override
        @Nullable
        String path(int item) {
            String path = null;
            for (int i = 0; i < parts.size() && path == null; i++) {
                path = parts.get(i).path(item);
            }
            return path;
        }

        static final class Sequence<A, T> extends ResultGroup<A, T> {
            Sequence(ResultOrder<A, T>[] parts) {
                super(parts, inTurn(parts));
            }

            private static Counts inTurn(ResultOrder<?, ?>[] parts) {
                Counts all = Counts.NONE;
                for (ResultOrder<?, ?> part : parts) {
                    all = all.then(part.counts());
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

        static final class Choice<A, T> extends ResultGroup<A, T> {
            Choice(ResultOrder<A, T>[] arms) {
                super(arms, largest(arms));
            }

            /** If several arms have payloads, the number of an item does not tell its destination. */
            private static Counts largest(ResultOrder<?, ?>[] arms) {
                int least = arms.length == 0 ? 0 : Counts.MANY;
                int most = 0;
                boolean isFixed = true;
                int withPayloads = 0;
                for (ResultOrder<?, ?> arm : arms) {
                    least = Math.min(least, arm.counts().least());
                    most = Math.max(most, arm.counts().most());
                    isFixed &= arm.isFixed();
                    withPayloads += arm.payloads() > 0 ? 1 : 0;
                }
                return new Counts(least, most, isFixed && withPayloads <= 1);
            }

            @Override
            void layOut(A arguments, int index, int element, ResultLayout layout) {
                int least = layout.least();
                int position = layout.position();
                int most = layout.most();
                int leastAfter = parts.isEmpty() ? least : Counts.MANY;
                int positionAfter = position;
                int mostAfter = most;
                boolean before = layout.optional(true);
                for (int i = 0; i < parts.size(); i++) {
                    layout.goTo(least, position, most);
                    parts.get(i).layOut(arguments, index, element, layout);
                    leastAfter = Math.min(leastAfter, layout.least());
                    positionAfter = Math.max(positionAfter, layout.position());
                    mostAfter = Math.max(mostAfter, layout.most());
                }
                layout.optional(before);
                layout.goTo(leastAfter, positionAfter, mostAfter);
            }
        }
    }
}
