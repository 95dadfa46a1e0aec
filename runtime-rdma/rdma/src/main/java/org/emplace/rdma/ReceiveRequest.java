// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

/**
 * A buffer for one Send of the peer.
 *
 * @param id chosen by the consumer; the completion has the same one
 * @param sink filled from its start; belongs to the provider until the completion
 */
public record ReceiveRequest(int id, MemorySegment sink) {}
