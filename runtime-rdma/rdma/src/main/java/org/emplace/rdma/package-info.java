// SPDX-License-Identifier: Apache-2.0
/**
 * The RDMA operations that RPC-over-RDMA needs (RFC 8166 section 2.3): registered memory, Send, Receive, RDMA Read and
 * RDMA Write over reliable connections. Independent of RPC.
 *
 * <p>{@link org.emplace.rdma.RdmaProviderFactory} opens an {@link org.emplace.rdma.RdmaProvider}, which registers
 * memory and makes connections. The names are those of verbs and RFC 5040: a {@link org.emplace.rdma.QueuePair} is one
 * end of a connection, a {@link org.emplace.rdma.WorkRequest.Completion} reports how a work request ended, and an STag (steering
 * tag; R_key in InfiniBand) identifies exposed memory. The consumer is the code that uses a provider. When a connection
 * ends, requests that did not run are flushed: they complete with {@link org.emplace.rdma.WorkRequest.Completion.Status#FLUSHED}.
 *
 * <p>Providers implement these types, and RPC-over-RDMA uses them; no other module sees them. What only one kind of device can
 * do is not here.
 */
@NullMarked
package org.emplace.rdma;

import org.jspecify.annotations.NullMarked;
