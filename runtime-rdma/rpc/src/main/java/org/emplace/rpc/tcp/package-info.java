// SPDX-License-Identifier: Apache-2.0
/**
 * RPC over TCP with record marking (RFC 5531 section 11), on non-blocking channels. A few threads serve all
 * connections, and none of them waits for a single peer.
 */
@NullMarked
package org.emplace.rpc.tcp;

import org.jspecify.annotations.NullMarked;
