// SPDX-License-Identifier: Apache-2.0
/** File access on one NFS server: the same tasks with Emplace's file system, with other clients in user space, and on a kernel mount. */
@NullMarked
package org.emplace.benchmarks.files;

import org.jspecify.annotations.NullMarked;
