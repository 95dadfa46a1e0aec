// SPDX-License-Identifier: Apache-2.0
/** Tests of the store of a directory tree of Linux. */
@NullMarked
package org.emplace.samples.nfs.server.store.posix;

import org.jspecify.annotations.NullMarked;
