// SPDX-License-Identifier: Apache-2.0
/**
 * RPC over TCP with record marking (RFC 5531 section 11), on non-blocking channels. A few threads serve all
 * connections, and none of them waits for a single peer.
 *
 * <p>Used by {@link org.emplace.RpcRuntime}, which finds its transport as a service. It is the only package of this module that knows
 * sockets.
 */
@NullMarked
package org.emplace.rpc.tcp;

import org.jspecify.annotations.NullMarked;
