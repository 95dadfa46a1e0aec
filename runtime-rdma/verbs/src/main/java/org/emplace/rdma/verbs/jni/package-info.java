// SPDX-License-Identifier: Apache-2.0
/**
 * The C side, as thin as it can be: one native method per call of libibverbs or librdmacm, no policy.
 *
 * <p><b>Handles.</b> Every native object is named by a {@code long} that C hands out: an index into its table with a generation, never an
 * address. 0 is no handle. A handle that was destroyed, or is of another kind, gives an {@link java.lang.IllegalStateException}; nothing
 * that Java does with handles can crash the process. Destroying an object that another thread is using in a call waits for that call, all
 * of which are bounded; destroying twice throws. Objects that depend on one another must be destroyed dependants first; the system
 * refuses otherwise (a {@link NativeException} with EBUSY) and the handle stays good.
 *
 * <p><b>Buffers.</b> Direct ones only, native byte order; C checks that what it is told to read or write lies within them, and throws {@link
 * java.lang.IllegalArgumentException} if not. C keeps no reference to any Java object.
 *
 * <p><b>Threads.</b> Every method may be called by any thread; none blocks but {@link Poller#await}, which is bounded, and the calls to the
 * kernel, which are short.
 */
@NullMarked
package org.emplace.rdma.verbs.jni;

import org.jspecify.annotations.NullMarked;
