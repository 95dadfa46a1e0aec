// SPDX-License-Identifier: Apache-2.0
/**
 * What every RDMA provider does, through the interfaces of {@link org.emplace.rdma} alone. The suite runs on software iWARP in the
 * unit tests, and on verbs in the lab; {@link org.emplace.rdma.contract.ProviderUnderTest} says how it is told.
 */
@NullMarked
package org.emplace.rdma.contract;

import org.jspecify.annotations.NullMarked;
