// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.function.Function;
import org.emplace.rpc.ResultOrder.Counts;
import org.emplace.rpc.ResultPlaces.ResultVisit;
import org.emplace.xdr.Payload;
import org.jspecify.annotations.Nullable;

/** One item. */
final class ResultItem<A, T> extends ResultOrder<A, T> {
    /** The index of items that are no payloads. */
    static final int ENCODED = -1;

    final int item;
    final String path;
    private final Size<A> size;
    private final Function<T, ? extends Payload> value;

    ResultItem(int item, String path, Size<A> size, Function<T, ? extends Payload> value) {
        super(Counts.ONE, null, item + 1);
        this.item = item;
        this.path = path;
        this.size = size;
        this.value = value;
    }

    @Override
    ResultItem<A, ?> only() {
        return this;
    }

    /** The largest size in a call with these arguments, outside of arrays. */
    long size(A arguments) {
        return size.of(arguments, 0);
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
    void visit(T parent, int element, ResultVisit visit) {
        if (isPayload()) {
            visit.visitor().payload(item, element, value.apply(parent));
        }
    }

    @Override
    int named(A arguments, Destinations destinations) {
        return isPayload() ? destinations.count(item) : 0;
    }

    @Override
    void requireSuitable(A arguments, Destinations destinations, long elements, boolean isExact) {
        int named = isPayload() ? destinations.count(item) : 0;
        if (named > elements || (isExact && named != 0 && named != elements)) {
            throw new IllegalArgumentException(named + " destinations for " + path + ", of which there "
                    + (elements == 1 ? "is " : "are ") + (isExact ? "" : "at most ") + elements);
        }
    }

    @Override
    @Nullable
    String path(int wanted) {
        return isPayload() && item == wanted ? path : null;
    }
}
