// SPDX-License-Identifier: Apache-2.0
/** The thread that serves a provider: native event channels, tasks, timers, and completion queues that it polls. */
@NullMarked
package org.emplace.rdma.verbs.event;

import org.jspecify.annotations.NullMarked;
