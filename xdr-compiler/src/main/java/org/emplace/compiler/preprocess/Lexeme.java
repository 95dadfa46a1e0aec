// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

/**
 * A piece of a line.
 *
 * @param line in its file, from 1
 * @param column from 1
 */
record Lexeme(Kind kind, String text, int line, int column) {

    /** What a preprocessor has to tell apart. */
    enum Kind {
        NAME,
        NUMBER,
        SPACE,
        /** A comment, or the part of it on this line. */
        COMMENT,
        OTHER
    }

    boolean is(String other) {
        return kind != Kind.COMMENT && text.equals(other);
    }

    boolean isBlank() {
        return kind == Kind.SPACE || kind == Kind.COMMENT;
    }

    /** The same where a macro of another place brings it. */
    Lexeme at(Lexeme use) {
        return new Lexeme(kind, text, use.line, use.column);
    }
}
