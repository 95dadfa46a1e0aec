// SPDX-License-Identifier: Apache-2.0
/** A connection's queue pair: the work posted, the requests that the device holds, and their completions. */
@NullMarked
package org.emplace.rdma.verbs.queuepair;

import org.jspecify.annotations.NullMarked;
