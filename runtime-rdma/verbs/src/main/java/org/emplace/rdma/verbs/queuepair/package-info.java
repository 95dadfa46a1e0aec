// SPDX-License-Identifier: Apache-2.0
/** A connection's queue pair: what is posted, what the device has of it, and what has ended. */
@NullMarked
package org.emplace.rdma.verbs.queuepair;

import org.jspecify.annotations.NullMarked;
