// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.source;

/** A text to read, whose places are known in the files that it was made of. */
public interface LocatedText {

    /** What the user calls it. */
    String name();

    /** All of it; lines end with {@code \n}. */
    String text();

    /**
     * The place in the user's files of some characters of one line.
     *
     * @param line from 1
     * @param column from 1
     * @param length in characters
     */
    Span span(int line, int column, int length);
}
