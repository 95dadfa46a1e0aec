// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The lock of the names in one or more trees: many operations use names at a time, or one changes them. Counts the changes that lead paths elsewhere.
 * Safe for use by several threads.
 */
public final class NamesLock {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    /** The lock guards it. */
    private long directoryChanges;

    Lock using() {
        return lock.readLock();
    }

    Lock changing() {
        return lock.writeLock();
    }

    /** How often a directory has been moved or removed. The caller holds one of the locks. */
    long directoryChanges() {
        return directoryChanges;
    }

    /** Notes that a directory has been moved or removed. The caller holds the lock for changing names. */
    void directoryChanged() {
        directoryChanges++;
    }
}
