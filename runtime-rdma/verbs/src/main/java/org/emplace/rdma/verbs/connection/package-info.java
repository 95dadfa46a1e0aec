// SPDX-License-Identifier: Apache-2.0
/**
 * The connection manager (librdmacm): identifiers of connections, and their events.
 *
 * <p>It knows when a connection begins and ends, and nothing of what goes over it.
 */
@NullMarked
package org.emplace.rdma.verbs.connection;

import org.jspecify.annotations.NullMarked;
