// SPDX-License-Identifier: Apache-2.0
/**
 * A store of a directory tree of Linux. Files are opened by the kernel's own handles and relative to descriptors; no path is used that can have come to
 * mean another file. Linux 5.8 or newer, on x86-64 or AArch64.
 */
@NullMarked
package org.emplace.samples.nfs.server.store.posix;

import org.jspecify.annotations.NullMarked;
