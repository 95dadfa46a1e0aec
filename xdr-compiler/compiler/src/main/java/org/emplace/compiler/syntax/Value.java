// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.math.BigInteger;
import org.emplace.compiler.source.Span;

/** A number or a name, where the language expects a number. */
public sealed interface Value {

    /** The text in the source. */
    String text();

    /** Where it is. */
    Span span();

    /** A number. */
    record Literal(BigInteger number, String text, Span span) implements Value {}

    /** The name of a constant or enumerator. */
    record Named(String text, Span span) implements Value {}
}
