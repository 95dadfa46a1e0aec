// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** A file with a new name, and the directory's attributes before and after. */
public record CreationResult(FoundFile file, WeakCacheConsistency directory) {}
