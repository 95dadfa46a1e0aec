// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

/**
 * A piece of a line.
 *
 * @param line in its file, from 1
 * @param column from 1
 */
record Lexeme(Kind kind, String text, int line, int column) {

    /** The kinds of lexemes that a preprocessor distinguishes. */
    enum Kind {
        NAME,
        NUMBER,
        SPACE,
        /** A comment, or its part on this line. */
        COMMENT,
        OTHER
    }

    boolean is(String other) {
        return kind != Kind.COMMENT && text.equals(other);
    }

    boolean isBlank() {
        return kind == Kind.SPACE || kind == Kind.COMMENT;
    }

    /** The same lexeme at the place of a macro's use. */
    Lexeme at(Lexeme use) {
        return new Lexeme(kind, text, use.line, use.column);
    }
}
