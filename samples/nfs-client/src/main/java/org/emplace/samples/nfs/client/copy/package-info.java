// SPDX-License-Identifier: Apache-2.0
/** Copying and removing trees, between a server and the local file system. */
@NullMarked
package org.emplace.samples.nfs.client.copy;

import org.jspecify.annotations.NullMarked;
