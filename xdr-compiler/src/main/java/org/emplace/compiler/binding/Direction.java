// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

/** Which half of a procedure. */
enum Direction {
    ARGUMENTS("args"),
    RESULTS("results");

    private final String word;

    Direction(String word) {
        this.word = word;
    }

    /** As paths begin. */
    String word() {
        return word;
    }
}
