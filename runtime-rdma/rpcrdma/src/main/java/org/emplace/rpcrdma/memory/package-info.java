// SPDX-License-Identifier: Apache-2.0
/**
 * Registered memory: what users register, the pool for everything else, and the memory that an outgoing message and its chunks are sent
 * from. Data in direct memory stays where it is; whatever has to be copied is counted. Memory is given back by hand, and only when nobody,
 * the peer included, can reach it any more.
 */
@NullMarked
package org.emplace.rpcrdma.memory;

import org.jspecify.annotations.NullMarked;
