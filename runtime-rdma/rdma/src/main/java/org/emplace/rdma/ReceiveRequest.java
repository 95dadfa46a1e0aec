// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

/**
 * A buffer for one incoming Send.
 *
 * @param id a number that the consumer finds in the completion
 * @param sink filled from its start; belongs to the provider until the completion
 */
public record ReceiveRequest(long id, MemorySegment sink) {}
