// SPDX-License-Identifier: Apache-2.0
/**
 * Registered memory: that of applications, the pool for everything else, and the memory of outgoing messages and
 * chunks. Data in direct memory is not copied; every copy is counted. Memory is released explicitly, and only when
 * neither the peer nor the provider can access it any more.
 */
@NullMarked
package org.emplace.rpcrdma.memory;

import org.jspecify.annotations.NullMarked;
