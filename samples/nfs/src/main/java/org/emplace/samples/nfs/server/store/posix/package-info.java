// SPDX-License-Identifier: Apache-2.0
/**
 * A store of a directory tree of Linux. Opens files by kernel handles and relative to descriptors, and never by a path that may mean
 * another file by now. Linux 5.8 or newer, on x86-64 or AArch64.
 */
@NullMarked
package org.emplace.samples.nfs.server.store.posix;

import org.jspecify.annotations.NullMarked;
