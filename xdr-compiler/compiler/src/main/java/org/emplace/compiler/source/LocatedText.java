// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.source;

import java.util.Optional;

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

    /** The macro whose replacement the character at a position belongs to, if it does. */
    default Optional<Replacement> replacement(int line, int column) {
        return Optional.empty();
    }

    /**
     * The replacement of a macro.
     *
     * @param name of the macro
     * @param text that replaces it
     * @param defined where it is defined
     */
    record Replacement(String name, String text, Span defined) {}
}
