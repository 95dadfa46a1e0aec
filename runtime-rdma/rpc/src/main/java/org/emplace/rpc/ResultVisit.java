// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.IdentityHashMap;

/** A visit of the payloads of one result. */
final class ResultVisit {
    private final ResultPlaces.Visitor visitor;

    /** The number of elements that have been visited of each array of variable length. One within another is visited several times. */
    private final IdentityHashMap<ResultOrder<?, ?>, Integer> visited = new IdentityHashMap<>(2);

    ResultVisit(ResultPlaces.Visitor visitor) {
        this.visitor = visitor;
    }

    ResultPlaces.Visitor visitor() {
        return visitor;
    }

    /** Counts elements of an array. Returns the number of those visited before. */
    int count(ResultOrder<?, ?> array, int elements) {
        int before = visited.getOrDefault(array, 0);
        visited.put(array, before + elements);
        return before;
    }
}
