// SPDX-License-Identifier: Apache-2.0
/**
 * The devices that a provider has opened, and what each can do.
 *
 * <p>Used by the provider, the set-up and the queue pair. What depends on one connection is not here.
 */
@NullMarked
package org.emplace.rdma.verbs.device;

import org.jspecify.annotations.NullMarked;
