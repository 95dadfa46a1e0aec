// SPDX-License-Identifier: Apache-2.0
/** What a provider's event loop waits for: native event channels, and completion queues that it polls. */
@NullMarked
package org.emplace.rdma.verbs.event;

import org.jspecify.annotations.NullMarked;
