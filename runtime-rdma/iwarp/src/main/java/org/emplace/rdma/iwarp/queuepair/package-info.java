// SPDX-License-Identifier: Apache-2.0
/**
 * The queue pair of an established connection: posted work becomes messages, segments that arrive are placed, and what has ended is
 * completed. {@link org.emplace.rdma.iwarp.queuepair.IwarpQueuePair} is the way in; how the connection came about is not known here.
 */
@NullMarked
package org.emplace.rdma.iwarp.queuepair;

import org.jspecify.annotations.NullMarked;
