// SPDX-License-Identifier: Apache-2.0
/**
 * Registered memory: that of applications, the pool for everything else, and the memory of outgoing messages and
 * chunks. What becomes a chunk is used in place if it is in direct memory and the header has room for its segments. Every
 * copy of a payload is counted. Memory is released explicitly, and only when neither the peer nor the provider can
 * access it any more.
 *
 * <p>Used by the link, the requester and the responder. It knows regions and lengths, and neither calls nor credits.
 */
@NullMarked
package org.emplace.rpcrdma.memory;

import org.jspecify.annotations.NullMarked;
