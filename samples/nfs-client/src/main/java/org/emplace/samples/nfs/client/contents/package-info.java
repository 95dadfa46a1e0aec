// SPDX-License-Identifier: Apache-2.0
/** The contents of files: reads and writes with many calls in flight, read-ahead and write-behind. */
@NullMarked
package org.emplace.samples.nfs.client.contents;

import org.jspecify.annotations.NullMarked;
