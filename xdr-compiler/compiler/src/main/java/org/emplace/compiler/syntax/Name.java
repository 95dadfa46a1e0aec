// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import org.emplace.compiler.source.Span;

/** An identifier and where it is. */
public record Name(String text, Span span) {}
