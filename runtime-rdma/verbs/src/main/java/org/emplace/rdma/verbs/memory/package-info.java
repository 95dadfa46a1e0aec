// SPDX-License-Identifier: Apache-2.0
/** Registered memory: regions, the protection domains that they are registered in, and the ways to let a peer at them. */
@NullMarked
package org.emplace.rdma.verbs.memory;

import org.jspecify.annotations.NullMarked;
