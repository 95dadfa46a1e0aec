// SPDX-License-Identifier: Apache-2.0
/** Registered memory: regions, the protection domains in which they are registered, and the strategies that grant a peer access to them. */
@NullMarked
package org.emplace.rdma.verbs.memory;

import org.jspecify.annotations.NullMarked;
