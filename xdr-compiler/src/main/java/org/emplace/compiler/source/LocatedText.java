// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.source;

/** A text whose positions can be traced to the files that it was made from. */
public interface LocatedText {

    /** The name that the user knows it by. */
    String name();

    /** The whole text. Its lines end with line feeds. */
    String text();

    /**
     * The position of some characters of one line in the user's files.
     *
     * @param line from 1
     * @param column from 1
     * @param length in characters
     */
    Span span(int line, int column, int length);
}
