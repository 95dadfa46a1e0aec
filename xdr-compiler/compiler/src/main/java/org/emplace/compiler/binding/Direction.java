// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import org.emplace.compiler.syntax.Clause;

/** The arguments or the results of a procedure. */
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

    /** The word that paths begin with. */
    String word() {
        return word;
    }

    /** The word for the items, in messages. */
    String items() {
        return items;
    }

    /** The clause that limits the number of their chunks. */
    Clause.Numeric.Kind limit() {
        return limit;
    }
}
