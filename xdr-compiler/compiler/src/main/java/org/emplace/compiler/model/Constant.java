// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

import java.math.BigInteger;
import org.emplace.compiler.source.Span;

/** A {@code const} definition. */
public record Constant(String name, BigInteger value, String documentation, Span origin) {}
