// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** Receives the entries of a directory in order. */
@FunctionalInterface
public interface EntryVisitor {
    /** Accepts an entry. Returns false if there is no room for it. */
    boolean take(DirectoryEntry entry);
}
