// SPDX-License-Identifier: Apache-2.0
/**
 * The events that a JDK Flight Recorder sees of RDMA, whichever provider they come from. Filled in by {@code org.emplace.rdma}; nobody else
 * makes them.
 */
@NullMarked
package org.emplace.rdma.event;

import org.jspecify.annotations.NullMarked;
