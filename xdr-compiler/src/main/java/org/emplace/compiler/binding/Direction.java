// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import org.emplace.compiler.syntax.Clause;

/** Which half of a procedure. */
enum Direction {
    ARGUMENTS("args", "arguments", Clause.Numeric.Kind.READ_CHUNKS),
    RESULTS("results", "results", Clause.Numeric.Kind.WRITE_CHUNKS);

    private final String word;
    private final String items;
    private final Clause.Numeric.Kind limit;

    Direction(String word, String items, Clause.Numeric.Kind limit) {
        this.word = word;
        this.items = items;
        this.limit = limit;
    }

    /** As paths begin. */
    String word() {
        return word;
    }

    /** What the items in it are called. */
    String items() {
        return items;
    }

    /** The clause that limits the chunks by which they move. */
    Clause.Numeric.Kind limit() {
        return limit;
    }
}
