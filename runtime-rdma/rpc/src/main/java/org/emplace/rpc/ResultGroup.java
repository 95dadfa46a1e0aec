// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A tree made of several. */
abstract sealed class ResultGroup<A, T> extends ResultOrder<A, T> {
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

    private ResultGroup(ResultOrder<A, T>[] parts, ItemCounts counts) {
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

        private static ItemCounts inTurn(ResultOrder<?, ?>[] parts) {
            ItemCounts all = ItemCounts.NONE;
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
        private static ItemCounts largest(ResultOrder<?, ?>[] arms) {
            int least = arms.length == 0 ? 0 : ItemCounts.MANY;
            int most = 0;
            boolean isFixed = true;
            int withPayloads = 0;
            for (ResultOrder<?, ?> arm : arms) {
                least = Math.min(least, arm.counts().least());
                most = Math.max(most, arm.counts().most());
                isFixed &= arm.isFixed();
                withPayloads += arm.payloads() > 0 ? 1 : 0;
            }
            return new ItemCounts(least, most, isFixed && withPayloads <= 1);
        }

        @Override
        void layOut(A arguments, int index, int element, ResultLayout layout) {
            int least = layout.least();
            int position = layout.position();
            int most = layout.most();
            int leastAfter = parts.isEmpty() ? least : ItemCounts.MANY;
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
