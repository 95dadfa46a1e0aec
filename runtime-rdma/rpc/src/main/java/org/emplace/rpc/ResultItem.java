// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.emplace.xdr.Payload;

/** One item. */
final class ResultItem<A, T> extends ResultOrder<A, T> {
    /** The index of items that are no payloads. */
    static final int ENCODED = -1;

    final int item;
    final String path;
    private final Size<A> size;
    private final Function<T, ? extends Payload> value;

    ResultItem(int item, String path, Size<A> size, Function<T, ? extends Payload> value) {
        super(ItemCounts.ONE, null, item + 1);
        this.item = item;
        this.path = path;
        this.size = size;
        this.value = value;
    }

    void nameIfIs(int wanted, List<String> names) {
        if (item == wanted) {
            names.add(path);
        }
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

    /**
     * Checks the destinations of an item that is in no array.
     *
     * @throws IllegalArgumentException if there is more than one
     */
    void requireSuitable(Destinations destinations) {
        if (isPayload() && destinations.count(item) > 1) {
            throw new IllegalArgumentException(
                    destinations.count(item) + " destinations for " + path + ", of which there is one");
        }
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
    void skip(int times, ResultVisit visit) {}

    @Override
    void payloads(Consumer<ResultItem<A, ?>> items) {
        if (isPayload()) {
            items.accept(this);
        }
    }

    @Override
    void arrays(Consumer<ResultRepetition<A, ?, ?>> arrays) {}
}
