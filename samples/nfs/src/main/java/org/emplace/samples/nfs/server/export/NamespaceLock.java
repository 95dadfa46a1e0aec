// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Keeps names still while an operation uses them. Java opens, makes and links files by path; so that no client can swap a directory for a
 * symbolic link between the check of a path and its use, what changes names or attributes runs alone. Reading and writing content happens
 * outside.
 */
final class NamespaceLock {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    /** Something that uses paths. */
    @FunctionalInterface
    interface Action<T> {
        T run() throws IOException;
    }

    /** Together with others that only look. */
    <T> T shared(Action<T> action) throws IOException {
        return holding(lock.readLock(), action);
    }

    /** Alone. */
    <T> T exclusive(Action<T> action) throws IOException {
        return holding(lock.writeLock(), action);
    }

    private static <T> T holding(Lock lock, Action<T> action) throws IOException {
        lock.lock();
        try {
            return action.run();
        } finally {
            lock.unlock();
        }
    }
}
