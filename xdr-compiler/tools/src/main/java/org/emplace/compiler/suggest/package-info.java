// SPDX-License-Identifier: Apache-2.0
/** Suggests items of a protocol that its binding could make DDP-eligible. */
@NullMarked
package org.emplace.compiler.suggest;

import org.jspecify.annotations.NullMarked;
