// SPDX-License-Identifier: Apache-2.0
/**
 * What one connection or {@linkplain org.emplace.reactor.Peer peer} may have of what all share: connections, memory, and
 * time without progress. Used by both ends of every transport.
 *
 * <p>Nothing here knows a call or a transport: only who asks, and for how much.
 */
@NullMarked
package org.emplace.rpc.limits;

import org.jspecify.annotations.NullMarked;
