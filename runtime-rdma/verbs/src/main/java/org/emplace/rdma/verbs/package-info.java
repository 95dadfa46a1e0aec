// SPDX-License-Identifier: Apache-2.0
/**
 * The provider for RDMA hardware, by libibverbs and librdmacm; {@code docs/decisions/009-verbs-provider.md} gives the reasons for its design.
 *
 * <p>{@code setup} establishes connections, {@code connection} has the connection manager's identifiers and events; {@code queuepair} posts work and handles completions; {@code memory} registers and exposes;
 * {@code device} holds the objects of each device; {@code event} is the thread that serves them all; {@code jni} is the boundary to C.
 */
@NullMarked
package org.emplace.rdma.verbs;

import org.jspecify.annotations.NullMarked;
