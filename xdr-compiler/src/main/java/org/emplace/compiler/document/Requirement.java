// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

/**
 * A requirement on bindings, and how this binding meets it.
 *
 * @param isMet whether it does
 * @param source the document that requires it
 */
record Requirement(boolean isMet, String what, String source, String answer) {}
