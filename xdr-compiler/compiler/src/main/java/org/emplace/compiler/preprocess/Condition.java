// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Evaluates the expression of an {@code #if} or {@code #elif}: 64-bit integers with C's operators. Macros are expanded before, except for the
 * operands of {@code defined}. Remaining names are 0.
 */
final class Condition {

    /** An error in an expression. Its place is empty if the error is at the end. */
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient Optional<Lexeme> place;

        private MalformedException(Optional<Lexeme> place, String message) {
            super(message);
            this.place = place;
        }

        Optional<Lexeme> place() {
            return place;
        }
    }

    private static final int DEEPEST = 100;

    /** The binary operators by precedence, the lowest first. */
    private static final List<Set<String>> OPERATORS = List.of(
            Set.of("||"),
            Set.of("&&"),
            Set.of("|"),
            Set.of("^"),
            Set.of("&"),
            Set.of("==", "!="),
            Set.of("<", ">", "<=", ">="),
            Set.of("<<", ">>"),
            Set.of("+", "-"),
            Set.of("*", "/", "%"));

    private final List<Lexeme> lexemes;
    private final Predicate<String> defined;
    private int at;
    private int depth;

    private Condition(List<Lexeme> lexemes, Predicate<String> defined) {
        this.lexemes = lexemes;
        this.defined = defined;
    }

    /** The value of an expression. */
    static long value(List<Lexeme> expression, Predicate<String> defined) throws MalformedException {
        List<Lexeme> visible =
                expression.stream().filter(lexeme -> !lexeme.isBlank()).toList();
        Condition condition = new Condition(visible, defined);
        long value = condition.ternary(true);
        if (condition.peek().isPresent()) {
            throw condition.malformed("an operator is missing before this");
        }
        return value;
    }

    private long ternary(boolean counts) throws MalformedException {
        if (++depth > DEEPEST) {
            throw malformed("the expression nests deeper than " + DEEPEST + " levels");
        }
        long value = binary(1, counts);
        if (accept("?")) {
            long then = ternary(counts && value != 0);
            expect(":");
            long otherwise = ternary(counts && value == 0);
            value = value != 0 ? then : otherwise;
        }
        depth--;
        return value;
    }

    /**
     * Evaluates operators of at least this precedence. {@code counts} is false if C would not evaluate the operands; a division by zero is then no
     * error.
     */
    private long binary(int lowest, boolean counts) throws MalformedException {
        long left = unary(counts);
        while (true) {
            Optional<Lexeme> operator = peek().filter(lexeme -> precedence(lexeme) >= lowest);
            if (operator.isEmpty()) {
                return left;
            }
            at++;
            boolean rightCounts = counts
                    && !(operator.get().is("&&") && left == 0)
                    && !(operator.get().is("||") && left != 0);
            long right = binary(precedence(operator.get()) + 1, rightCounts);
            left = apply(operator.get(), left, right, counts);
        }
    }

    /** The precedence of an operator, from 1 on; 0 if the lexeme is not an operator. */
    private static int precedence(Lexeme lexeme) {
        for (int i = 0; i < OPERATORS.size(); i++) {
            if (OPERATORS.get(i).contains(lexeme.text())) {
                return i + 1;
            }
        }
        return 0;
    }

    private static long apply(Lexeme operator, long left, long right, boolean counts) throws MalformedException {
        boolean divides = operator.is("/") || operator.is("%");
        if (divides && right == 0) {
            if (counts) {
                throw new MalformedException(Optional.of(operator), "division by zero");
            }
            return 0;
        }
        return switch (operator.text()) {
            case "||" -> number(left != 0 || right != 0);
            case "&&" -> number(left != 0 && right != 0);
            case "|" -> left | right;
            case "^" -> left ^ right;
            case "&" -> left & right;
            case "==" -> number(left == right);
            case "!=" -> number(left != right);
            case "<" -> number(left < right);
            case ">" -> number(left > right);
            case "<=" -> number(left <= right);
            case ">=" -> number(left >= right);
            case "<<" -> left << right;
            case ">>" -> left >> right;
            case "+" -> left + right;
            case "-" -> left - right;
            case "*" -> left * right;
            case "/" -> left / right;
            default -> left % right;
        };
    }

    private long unary(boolean counts) throws MalformedException {
        if (++depth > DEEPEST) {
            throw malformed("the expression nests deeper than " + DEEPEST + " levels");
        }
        long value;
        if (accept("!")) {
            value = number(unary(counts) == 0);
        } else if (accept("-")) {
            value = -unary(counts);
        } else if (accept("+")) {
            value = unary(counts);
        } else if (accept("~")) {
            value = ~unary(counts);
        } else if (accept("(")) {
            value = ternary(counts);
            expect(")");
        } else {
            value = operand();
        }
        depth--;
        return value;
    }

    private long operand() throws MalformedException {
        Lexeme lexeme = peek().orElseThrow(() -> malformed("the expression is incomplete"));
        if (lexeme.kind() == Lexeme.Kind.NUMBER) {
            at++;
            return number(lexeme);
        } else if (lexeme.kind() != Lexeme.Kind.NAME) {
            throw malformed("expected a number or a name");
        }
        at++;
        return lexeme.is("defined") ? definedName() : 0;
    }

    private long definedName() throws MalformedException {
        boolean parenthesis = accept("(");
        Lexeme name = peek().filter(lexeme -> lexeme.kind() == Lexeme.Kind.NAME)
                .orElseThrow(() -> malformed("`defined` takes a name"));
        at++;
        if (parenthesis) {
            expect(")");
        }
        return number(defined.test(name.text()));
    }

    private static long number(Lexeme lexeme) throws MalformedException {
        String digits = lexeme.text().replaceFirst("[uUlL]+$", "");
        try {
            return Long.decode(digits);
        } catch (NumberFormatException e) {
            throw new MalformedException(Optional.of(lexeme), "this is not an integer of at most 64 bits");
        }
    }

    private static long number(boolean holds) {
        return holds ? 1 : 0;
    }

    private Optional<Lexeme> peek() {
        return at < lexemes.size() ? Optional.of(lexemes.get(at)) : Optional.empty();
    }

    private boolean accept(String text) {
        boolean found = peek().filter(lexeme -> lexeme.is(text)).isPresent();
        at += found ? 1 : 0;
        return found;
    }

    private void expect(String text) throws MalformedException {
        if (!accept(text)) {
            throw malformed("`" + text + "` is missing");
        }
    }

    private MalformedException malformed(String message) {
        return new MalformedException(peek(), message);
    }
}
