// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.nio.AttributeSource.Seen;
import org.jspecify.annotations.Nullable;

/** A file of which clients may have an id. The lock of the {@link NodeTable} guards its places, its children and whether it is gone. */
final class Node {

    /** A name that a file has. */
    record Place(Node directory, Path name) {}

    final long number;
    final FileType type;

    /** The file system's file key; null if it has none, and then the file is identified by its only place. */
    final @Nullable Object key;

    /** Usually one. A directory never has more. */
    final List<Place> places = new ArrayList<>(1);

    int children;

    /** Who used this file last. */
    Object peer;

    boolean gone;

    /** How often the store has changed names in this directory. */
    volatile long changes;

    /** When the store last changed attributes, for file systems that do not record this. */
    volatile @Nullable FileTime touched;

    Node(long number, FileType type, @Nullable Object key, Object peer) {
        this.number = number;
        this.type = type;
        this.key = key;
        this.peer = peer;
    }

    /** Notes that names in this directory have changed. The caller holds the exclusive lock of the names. */
    void namesChanged() {
        long next = changes + 1;
        changes = next;
    }

    /** Whether a file is this one, as far as the file system can tell. */
    boolean isFile(Seen seen) {
        return type == seen.attributes().type() && (key == null || key.equals(seen.key()));
    }
}
