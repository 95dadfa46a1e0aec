// SPDX-License-Identifier: Apache-2.0
/**
 * The headers of RPC messages (RFC 5531 section 9), for clients and servers.
 *
 * <p>Used by both ends and by transports. What arguments and results are is not known here.
 */
@NullMarked
package org.emplace.rpc.message;

import org.jspecify.annotations.NullMarked;
