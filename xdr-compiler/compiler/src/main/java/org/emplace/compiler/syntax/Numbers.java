// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.Token;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;

/** Reads decimal, hexadecimal and octal constants (RFC 4506 section 6.2). */
record Numbers(Positions positions, Diagnostics diagnostics) {

    private static final Pattern SYNTAX = Pattern.compile("(-?)(?:0[xX]([0-9a-fA-F]+)|0([0-7]+)|(0|[1-9][0-9]*))");
    private static final int LONGEST = 64;

    /** The number of a token. If the token is not a number, reports that and returns zero. */
    Value.Literal read(Token token) {
        String text = token.getText();
        return new Value.Literal(parse(text).orElseGet(() -> malformed(token)), text, positions.span(token));
    }

    /** A character constant as the digits of its value in C. */
    Value.Literal readCharacter(Token token) {
        BigInteger number = ofCharacter(token);
        return new Value.Literal(number, number.toString(), positions.span(token));
    }

    /** The value of a character between quotes. */
    static BigInteger ofCharacter(Token token) {
        return BigInteger.valueOf(token.getText().charAt(1));
    }

    private static Optional<BigInteger> parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (text.length() > LONGEST || !matcher.matches()) {
            return Optional.empty();
        }
        BigInteger magnitude = matcher.group(2) != null
                ? new BigInteger(matcher.group(2), 16)
                : matcher.group(3) != null ? new BigInteger(matcher.group(3), 8) : new BigInteger(matcher.group(4));
        return Optional.of(matcher.group(1).isEmpty() ? magnitude : magnitude.negate());
    }

    private BigInteger malformed(Token token) {
        String text = token.getText();
        String shown = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
        diagnostics.report(Diagnostic.error("E104", positions.span(token), "`" + shown + "` is not a number")
                .hint(
                        text.matches("-?[0-9][0-9a-fA-FxX]*[uUlL]+")
                                ? "write " + text.replaceFirst("[uUlL]+$", "") + " without C's suffix"
                                : "numbers are decimal (10), hexadecimal (0x1f) or octal (017)"));
        return BigInteger.ZERO;
    }
}
