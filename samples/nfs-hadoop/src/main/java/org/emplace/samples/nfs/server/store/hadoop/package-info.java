// SPDX-License-Identifier: Apache-2.0
/** A store over Hadoop's file systems. */
@NullMarked
package org.emplace.samples.nfs.server.store.hadoop;

import org.jspecify.annotations.NullMarked;
