// SPDX-License-Identifier: Apache-2.0
/**
 * Registered memory, and the parts of it that a connection's peer can access. Does not know how bytes are transferred: the code that moves them
 * reports the start and the end of each transfer, so that revoked access can be fenced.
 *
 * <p>Used by the queue pair and the provider. Nothing here reads a socket or knows the headers of a protocol.
 */
@NullMarked
package org.emplace.rdma.iwarp.memory;

import org.jspecify.annotations.NullMarked;
