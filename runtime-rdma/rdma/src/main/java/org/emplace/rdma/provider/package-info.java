// SPDX-License-Identifier: Apache-2.0
/**
 * What providers share: {@link org.emplace.rdma.provider.RdmaCounters} count what a provider does and report it to the
 * flight recorder and JMX, and {@link org.emplace.rdma.provider.HandlerCalls} call the consumer's handlers. Consumers
 * of RDMA need nothing of this package: they read {@link org.emplace.rdma.RdmaProvider#statistics}.
 *
 * <p>Used by providers alone. What a consumer calls belongs to {@code org.emplace.rdma}.
 */
@NullMarked
package org.emplace.rdma.provider;

import org.jspecify.annotations.NullMarked;
