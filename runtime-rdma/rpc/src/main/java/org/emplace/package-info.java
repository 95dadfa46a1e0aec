// SPDX-License-Identifier: Apache-2.0
/** Where programs begin: {@link org.emplace.Rpc} for clients, {@link org.emplace.RpcServer} for servers. */
@NullMarked
package org.emplace;

import org.jspecify.annotations.NullMarked;
