// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

/**
 * Something that a binding has to say, and what this one says.
 *
 * @param isMet whether it says it
 * @param source where it is required
 */
record Requirement(boolean isMet, String what, String source, String answer) {}
