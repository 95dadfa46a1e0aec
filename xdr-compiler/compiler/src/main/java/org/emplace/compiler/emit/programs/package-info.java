// SPDX-License-Identifier: Apache-2.0
/** Interfaces, clients, servers and bindings for the programs of a protocol. */
@NullMarked
package org.emplace.compiler.emit.programs;

import org.jspecify.annotations.NullMarked;
