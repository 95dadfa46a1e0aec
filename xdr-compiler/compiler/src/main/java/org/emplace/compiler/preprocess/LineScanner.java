// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Splits lines into lexemes, and tracks comments that span lines. The content of a {@code /*@ddp} comment is text like any other, so that macros have
 * the same meaning in binding clauses as outside of them.
 */
final class LineScanner {

    private static final String CLAUSE = "/*@ddp";
    private static final Set<String> LONG_OPERATORS = Set.of("&&", "||", "==", "!=", "<=", ">=", "<<", ">>");

    private enum State {
        CODE,
        COMMENT,
        CLAUSE
    }

    private State state = State.CODE;
    private Optional<Lexeme> opening = Optional.empty();
    private String text = "";
    private int line;
    private int at;

    /** Whether the last line ended inside a comment or a binding clause. */
    boolean isInComment() {
        return state != State.CODE;
    }

    /** The beginning of the open comment. */
    Optional<Lexeme> opening() {
        return isInComment() ? opening : Optional.empty();
    }

    /** The lexemes of the next line. Together they contain all its characters. */
    List<Lexeme> scan(String lineText, int lineNumber) {
        text = lineText;
        line = lineNumber;
        at = 0;
        List<Lexeme> lexemes = new ArrayList<>();
        while (at < text.length()) {
            int start = at;
            Lexeme.Kind kind = advance();
            lexemes.add(new Lexeme(kind, text.substring(start, at), line, start + 1));
        }
        return lexemes;
    }

    private Lexeme.Kind advance() {
        if (state == State.COMMENT) {
            return closeComment();
        } else if (state == State.CODE && text.startsWith("/*", at)) {
            return openComment();
        } else if (state == State.CODE && text.startsWith("//", at)) {
            at = text.length();
            return Lexeme.Kind.COMMENT;
        } else if (state == State.CLAUSE && text.startsWith("*/", at)) {
            state = State.CODE;
            at += 2;
            return Lexeme.Kind.OTHER;
        } else if (state == State.CODE && text.charAt(at) == '"') {
            return string();
        }
        return word();
    }

    /** A string. It contains neither comments nor macros; without an end, it extends to the end of the line. */
    private Lexeme.Kind string() {
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        at = Math.min(at + 1, text.length());
        return Lexeme.Kind.OTHER;
    }

    private Lexeme.Kind openComment() {
        opening = Optional.of(new Lexeme(Lexeme.Kind.COMMENT, "/*", line, at + 1));
        int after = at + CLAUSE.length();
        if (text.startsWith(CLAUSE, at) && (after == text.length() || " \t;*".indexOf(text.charAt(after)) >= 0)) {
            state = State.CLAUSE;
            at = after;
            return Lexeme.Kind.OTHER;
        }
        state = State.COMMENT;
        at += 2;
        return closeComment();
    }

    private Lexeme.Kind closeComment() {
        int end = text.indexOf("*/", at);
        if (end < 0) {
            at = text.length();
        } else {
            at = end + 2;
            state = State.CODE;
        }
        return Lexeme.Kind.COMMENT;
    }

    private Lexeme.Kind word() {
        char first = text.charAt(at);
        if (Character.isWhitespace(first)) {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return Lexeme.Kind.SPACE;
        } else if (isWord(first)) {
            while (at < text.length() && isWord(text.charAt(at))) {
                at++;
            }
            return first >= '0' && first <= '9' ? Lexeme.Kind.NUMBER : Lexeme.Kind.NAME;
        }
        boolean isLong = at + 2 <= text.length() && LONG_OPERATORS.contains(text.substring(at, at + 2));
        at += isLong ? 2 : 1;
        return Lexeme.Kind.OTHER;
    }

    private static boolean isWord(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }
}
