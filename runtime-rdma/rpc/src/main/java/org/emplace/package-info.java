// SPDX-License-Identifier: Apache-2.0
/**
 * Where programs begin: {@link org.emplace.Rpc} for clients, {@link org.emplace.RpcServer} for servers, {@link
 * org.emplace.RpcRuntime} for what both run on.
 *
 * <p>Used by applications. It may use every package below, and none of them uses it. What a call is belongs to {@code
 * org.emplace.rpc}; here is only what opens, owns and closes.
 */
@NullMarked
package org.emplace;

import org.jspecify.annotations.NullMarked;
