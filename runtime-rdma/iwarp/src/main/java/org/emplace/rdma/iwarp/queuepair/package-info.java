// SPDX-License-Identifier: Apache-2.0
/**
 * The queue pair of an established connection: turns posted work into messages, places arriving segments, and completes work. {@link
 * org.emplace.rdma.iwarp.queuepair.IwarpQueuePair} is the entry point. The package does not know how the connection was set up.
 *
 * <p>Used by the set-up of connections. What goes over the wire before the first FPDU belongs there.
 */
@NullMarked
package org.emplace.rdma.iwarp.queuepair;

import org.jspecify.annotations.NullMarked;
