// SPDX-License-Identifier: Apache-2.0
/**
 * What a transport implements, and what it is given. Used by transports, by recovery and by {@link
 * org.emplace.RpcRuntime}; the two halves, {@link org.emplace.rpc.client} and {@link org.emplace.rpc.server}, do not know it.
 *
 * <p>Nothing here does anything by itself: what all transports do alike belongs to the two halves and to {@link
 * org.emplace.rpc.limits}.
 */
@NullMarked
package org.emplace.rpc.transport;

import org.jspecify.annotations.NullMarked;
