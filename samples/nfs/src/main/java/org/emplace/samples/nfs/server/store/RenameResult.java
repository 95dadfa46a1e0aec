// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** The attributes of the two directories before and after a RENAME. */
public record RenameResult(WeakCacheConsistency from, WeakCacheConsistency to) {}
