// SPDX-License-Identifier: Apache-2.0
/**
 * Registered memory: regions, the protection domains in which they are registered, and the strategies that grant a peer access to them.
 *
 * <p>Used by devices and queue pairs. It posts nothing: the queue pair posts what a strategy asks for.
 */
@NullMarked
package org.emplace.rdma.verbs.memory;

import org.jspecify.annotations.NullMarked;
