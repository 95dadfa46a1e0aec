// SPDX-License-Identifier: Apache-2.0
/** The connection manager (librdmacm): identifiers of connections, and their events. */
@NullMarked
package org.emplace.rdma.verbs.connection;

import org.jspecify.annotations.NullMarked;
