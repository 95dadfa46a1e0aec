// SPDX-License-Identifier: Apache-2.0
/**
 * The operations that RPC-over-RDMA needs of an RDMA provider (RFC 8166 section 2.3): registered memory, Send, Receive, RDMA Read
 * and RDMA Write over reliable connections. Knows nothing of RPC.
 *
 * <p>The names are those of the verbs: a {@link org.emplace.rdma.QueuePair} is a connection's two work queues, a
 * {@link org.emplace.rdma.Completion} says how a work request ended, an STag (steering tag; R_key in InfiniBand) names remote memory.
 */
@NullMarked
package org.emplace.rdma;

import org.jspecify.annotations.NullMarked;
