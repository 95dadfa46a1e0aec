// SPDX-License-Identifier: Apache-2.0
/** The entry points: {@link org.emplace.Rpc} for clients, {@link org.emplace.RpcServer} for servers. */
@NullMarked
package org.emplace;

import org.jspecify.annotations.NullMarked;
