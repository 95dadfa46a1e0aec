// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** A file with a new name, and what that did to the directory. */
public record CreationResult(FoundFile file, WeakCacheConsistency directory) {}
