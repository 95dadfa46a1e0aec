// SPDX-License-Identifier: Apache-2.0
/**
 * RPC over TCP with record marking (RFC 5531 section 11), on non-blocking channels: few threads serve all connections, and a peer that is
 * slow, idle or hostile holds up nobody but itself.
 */
@NullMarked
package org.emplace.rpc.tcp;

import org.jspecify.annotations.NullMarked;
