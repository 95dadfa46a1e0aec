// SPDX-License-Identifier: Apache-2.0
/**
 * A connection's queue pair: the work posted, the requests that the device holds, and their completions.
 *
 * <p>Used by the set-up. How the two ends found each other is not known here.
 */
@NullMarked
package org.emplace.rdma.verbs.queuepair;

import org.jspecify.annotations.NullMarked;
