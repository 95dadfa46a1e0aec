// SPDX-License-Identifier: Apache-2.0
/**
 * The boundary to C: one native method for each call of libibverbs or librdmacm, without policy.
 *
 * <p><b>Handles.</b> A {@code long} names each native object: an index into C's table with a generation, never an address. 0 is no handle. A
 * handle of a destroyed object or of another kind causes an {@link java.lang.IllegalStateException}; no use of a handle can crash the process.
 * Destroying an object waits for calls of other threads that use it, all of which are bounded. Destroying it twice throws. Dependants must be
 * destroyed first; else the call fails (a {@link NativeException} with EBUSY) and the handle stays valid.
 *
 * <p><b>Buffers.</b> Direct buffers in native byte order. C checks that what it reads or writes lies within the buffer, and throws {@link
 * java.lang.IllegalArgumentException} if not. C keeps references only to registered buffers and to the buffers of completion queues.
 *
 * <p><b>Threads.</b> Any thread may call any method. Only {@link Poller#await}, whose time is bounded, and short calls to the kernel block.
 */
@NullMarked
package org.emplace.rdma.verbs.jni;

import org.jspecify.annotations.NullMarked;
