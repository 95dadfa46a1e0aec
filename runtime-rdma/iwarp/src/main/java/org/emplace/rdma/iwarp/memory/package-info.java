// SPDX-License-Identifier: Apache-2.0
/**
 * Registered memory, and what of it a connection's peer may reach. Does not know how bytes travel. The code that moves them reports when a transfer
 * begins and ends, so that revoked access can be fenced.
 */
@NullMarked
package org.emplace.rdma.iwarp.memory;

import org.jspecify.annotations.NullMarked;
