// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** What a RENAME did to the two directories. */
public record RenameResult(WeakCacheConsistency from, WeakCacheConsistency to) {}
