// SPDX-License-Identifier: Apache-2.0
/**
 * The Upper Layer Binding (RFC 8166 section 6) of a checked protocol: which items are DDP-eligible, and which chunks each procedure's calls and
 * replies may have.
 */
@NullMarked
package org.emplace.compiler.binding;

import org.jspecify.annotations.NullMarked;
