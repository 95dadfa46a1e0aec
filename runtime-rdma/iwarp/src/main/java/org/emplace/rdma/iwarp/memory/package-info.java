// SPDX-License-Identifier: Apache-2.0
/**
 * Registered memory, and what of it a connection's peer may reach. Knows nothing of how bytes travel: whoever moves them says when a transfer
 * begins and ends, so that access taken back is fenced.
 */
@NullMarked
package org.emplace.rdma.iwarp.memory;

import org.jspecify.annotations.NullMarked;
