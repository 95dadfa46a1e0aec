// SPDX-License-Identifier: Apache-2.0
/**
 * Clients that reconnect and resend calls; see {@link org.emplace.Rpc#client}.
 *
 * <p>Used by {@link org.emplace.RpcRuntime}. It makes calls by the connections of {@link
 * org.emplace.rpc.transport}, and knows no single transport.
 */
@NullMarked
package org.emplace.rpc.recovery;

import org.jspecify.annotations.NullMarked;
