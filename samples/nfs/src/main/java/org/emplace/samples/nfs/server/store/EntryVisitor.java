// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** Takes the entries of a directory in their order. */
@FunctionalInterface
public interface EntryVisitor {
    /** Returns false if there is no room for the entry; it is then not taken. */
    boolean take(DirectoryEntry entry);
}
