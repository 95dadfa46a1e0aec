// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.math.BigInteger;
import org.emplace.compiler.source.Span;

/** Where the language wants a number. */
public sealed interface Value {

    /** As the source has it. */
    String text();

    /** Where it stands. */
    Span span();

    /** A number. */
    record Literal(BigInteger number, String text, Span span) implements Value {}

    /** The name of a constant or enumerator. */
    record Named(String text, Span span) implements Value {}
}
