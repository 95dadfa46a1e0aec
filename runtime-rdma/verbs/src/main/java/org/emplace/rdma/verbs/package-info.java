// SPDX-License-Identifier: Apache-2.0
/**
 * RDMA hardware by libibverbs and librdmacm, as a provider; {@code docs/decisions/009-verbs-provider.md} says why it is built as it is.
 *
 * <p>{@code connection} sets queue pairs up and ends them; {@code queuepair} posts and completes; {@code memory} registers and exposes;
 * {@code device} keeps what belongs to a device; {@code event} is the thread that all of them are served by; {@code jni} is the edge to C.
 */
@NullMarked
package org.emplace.rdma.verbs;

import org.jspecify.annotations.NullMarked;
