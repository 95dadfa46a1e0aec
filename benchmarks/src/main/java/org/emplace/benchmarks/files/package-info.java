// SPDX-License-Identifier: Apache-2.0
/** Files on one NFS server: the same tasks by Emplace's file system, by other clients in user space, and on a directory that the kernel has mounted. */
@NullMarked
package org.emplace.benchmarks.files;

import org.jspecify.annotations.NullMarked;
