// SPDX-License-Identifier: Apache-2.0
/** Registered memory: regions, the protection domains that they are registered in, and the ways to grant a peer access to them. */
@NullMarked
package org.emplace.rdma.verbs.memory;

import org.jspecify.annotations.NullMarked;
