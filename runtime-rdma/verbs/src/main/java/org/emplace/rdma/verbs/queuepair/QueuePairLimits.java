// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

/**
 * What the queues of a queue pair hold.
 *
 * @param sends send requests that the device has at a time
 * @param receives Receives that the device has at a time
 * @param elements scatter/gather elements of a send request
 * @param inline bytes that a send request can carry itself
 */
public record QueuePairLimits(int sends, int receives, int elements, int inline) {}
