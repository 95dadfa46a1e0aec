// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

/** Calls methods of {@link SystemCalls} and nothing else that could load a class, wait or throw, because it may run with a caller's identity. */
@FunctionalInterface
interface SystemCall {
    /** Returns a result, or a negative error number. */
    long make();
}
