// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.suggest;

/**
 * An argument or a result that is itself bytes, not a member of a struct or an arm of a union.
 *
 * @param description its type and its bound, in words
 */
public record BareBytes(ItemUse use, String description) {}
