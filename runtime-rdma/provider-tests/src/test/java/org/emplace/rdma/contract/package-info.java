// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the contract of every RDMA provider, by the interfaces of {@link org.emplace.rdma} alone. They run with
 * software iWARP in the build, and with verbs in the lab; {@link org.emplace.rdma.contract.ProviderUnderTest} selects
 * the provider.
 */
@NullMarked
package org.emplace.rdma.contract;

import org.jspecify.annotations.NullMarked;
