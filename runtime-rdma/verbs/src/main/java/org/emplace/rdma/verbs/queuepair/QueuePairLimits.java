// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

/**
 * The capacities of a queue pair.
 *
 * @param sends send requests that the device holds at a time
 * @param receives Receives that the device holds at a time
 * @param elements scatter/gather elements of a send request
 * @param inline inline data of a send request, in bytes
 */
public record QueuePairLimits(int sends, int receives, int elements, int inline) {}
