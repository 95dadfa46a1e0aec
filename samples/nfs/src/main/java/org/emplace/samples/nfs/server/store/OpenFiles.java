// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.io.IOException;
import java.nio.channels.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.jspecify.annotations.Nullable;

/**
 * Keeps files open between the calls of a protocol that has no open and close. If there are too many, closes the least recently used file of the peer
 * that uses most ({@link CacheShares}), and every file that has not been used for a while: an open file keeps its disk space when its last name is removed, and a program that is
 * open for writing cannot be run. Failures of closing are not reported to callers, because the file may not be theirs. Closing may wait for
 * the disk; only callers that want the same file wait with it. Safe for use by several threads.
 *
 * @param <K> the key of an open file
 * @param <T> the open file; one that is found closed is opened again
 */
public final class OpenFiles<K, T extends Channel> implements AutoCloseable {
    private final int limit;
    private final long idle;
    private final Consumer<IOException> closingFailed;
    private final Executor later;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closed = lock.newCondition();
    private final Map<K, OpenFile> open = new HashMap<>();
    private final CacheShares<K> shares = new CacheShares<>();
    private final List<OpenFile> closing = new ArrayList<>();
    private boolean looking;

    /**
     * @param limit the most files to keep open; more can be in use at one moment
     * @param idle the least time for which an unused file stays open; the most is half as long again
     * @param closingFailed notified if a file could not be closed; must not throw
     */
    public OpenFiles(int limit, Duration idle, Consumer<IOException> closingFailed) {
        this.limit = limit;
        this.idle = idle.toNanos();
        this.closingFailed = closingFailed;
        this.later = CompletableFuture.delayedExecutor(Math.max(1, this.idle / 2), TimeUnit.NANOSECONDS);
    }

    /** An open file. The cache's lock guards the fields. */
    private final class OpenFile {
        private final K key;
        private final T file;
        private int users;
        private boolean kept = true;
        private long lastUsed;

        OpenFile(K key, T file) {
            this.key = key;
            this.file = file;
        }
    }

    /** A file in use. It stays open until this is closed. */
    public final class Use implements AutoCloseable {
        private final OpenFile used;

        private Use(OpenFile used) {
            this.used = used;
            used.users++;
        }

        public T file() {
            return used.file;
        }

        @Override
        public void close() {
            leave(used);
        }
    }

    /**
     * The file; opens it if necessary, which must not block for long, as opening a FIFO may.
     *
     * @param peer whom the file counts for, by {@code equals}
     */
    public Use use(Object peer, K key, FileOperation<T> opener) throws IOException {
        Use kept = kept(peer, key);
        return kept != null ? kept : keep(peer, key, opener.run());
    }

    /** The file, if it is open. */
    public Optional<Use> useIfOpen(K key) {
        return Optional.ofNullable(kept(null, key));
    }

    /** Whether the file is kept open, or being closed. Does not wait. */
    public boolean isOpen(K key) {
        lock.lock();
        try {
            return open.containsKey(key) || isClosing(key);
        } finally {
            lock.unlock();
        }
    }

    /** Adds a file that was opened by creating it: its mode may not permit opening it again. */
    public void adopt(Object peer, K key, T opened) {
        keep(peer, key, opened).close();
    }

    /** Closes the file, now or when it is not in use any more. */
    public void forget(K key) {
        drop(() -> Stream.ofNullable(open.get(key)));
    }

    /** Closes all files that are not in use. */
    public void closeUnused() {
        drop(() -> unused(file -> true));
    }

    @Override
    public void close() {
        drop(() -> open.values().stream());
    }

    private @Nullable Use kept(@Nullable Object peer, K key) {
        lock.lock();
        try {
            // The next to open the file has to find the written data on disk, or to learn that it was lost.
            while (isClosing(key)) {
                closed.awaitUninterruptibly();
            }
            OpenFile file = open.get(key);
            if (file != null && !file.file.isOpen()) {
                open.remove(key);
                shares.remove(key);
                return null;
            }
            if (file != null && peer != null) {
                shares.use(peer, key, 1);
            }
            return file == null ? null : new Use(file);
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosing(K key) {
        for (OpenFile file : closing) {
            if (file.key.equals(key)) {
                return true;
            }
        }
        return false;
    }

    private Use keep(Object peer, K key, T opened) {
        List<Use> use = new ArrayList<>(1);
        change(unneeded -> {
            OpenFile fresh = new OpenFile(key, opened);
            unneeded.add(fresh); // until it is known to be needed
            OpenFile other = open.putIfAbsent(key, fresh);
            OpenFile used = other != null ? other : fresh;
            use.add(new Use(used));
            try {
                shares.use(peer, key, 1);
                closeTooMany(unneeded);
                lookLater();
            } catch (RuntimeException | Error broken) {
                used.users--;
                throw broken;
            }
            if (other == null) {
                unneeded.remove(fresh);
            }
        });
        return use.get(0);
    }

    /** Makes a change with the lock, and then closes the files that the change leaves unneeded, also if something throws. */
    private void change(Consumer<List<OpenFile>> change) {
        List<OpenFile> unneeded = new ArrayList<>();
        try {
            lock.lock();
            try {
                change.accept(unneeded);
            } finally {
                lock.unlock();
            }
        } finally {
            closeAll(unneeded.iterator());
        }
    }

    private void closeAll(Iterator<OpenFile> files) {
        try {
            while (files.hasNext()) {
                close(files.next());
            }
        } finally {
            if (files.hasNext()) {
                closeAll(files); // one has failed; somebody may wait for the others
            }
        }
    }

    private void closeTooMany(List<OpenFile> unneeded) {
        while (open.size() > limit) {
            Optional<K> next = shares.next(each -> isUnused(open.get(each)));
            if (next.isEmpty()) {
                return;
            }
            remove(Objects.requireNonNull(open.get(next.get())), unneeded);
        }
    }

    private boolean isUnused(@Nullable OpenFile file) {
        return file != null && file.users == 0;
    }

    private void leave(OpenFile used) {
        change(unneeded -> {
            used.users--;
            used.lastUsed = System.nanoTime();
            if (!used.kept && used.users == 0) {
                closeLater(used, unneeded);
            }
        });
    }

    private void closeLater(OpenFile file, List<OpenFile> unneeded) {
        unneeded.add(file);
        closing.add(file);
    }

    private Stream<OpenFile> unused(Predicate<OpenFile> which) {
        return open.values().stream().filter(file -> isUnused(file) && which.test(file));
    }

    private void drop(Supplier<Stream<OpenFile>> which) {
        change(unneeded -> which.get().toList().forEach(file -> remove(file, unneeded)));
    }

    private void remove(OpenFile file, List<OpenFile> unneeded) {
        if (file.users == 0) {
            closeLater(file, unneeded); // first: it may throw, and a file that is found closed is opened again
        }
        open.remove(file.key);
        shares.remove(file.key);
        file.kept = false;
    }

    private void close(OpenFile file) {
        try {
            file.file.close();
        } catch (IOException e) {
            closingFailed.accept(e);
        } finally {
            lock.lock();
            try {
                closing.remove(file);
                closed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void lookLater() {
        if (!looking && !open.isEmpty()) {
            later.execute(this::closeIdle);
            looking = true;
        }
    }

    private void closeIdle() {
        long now = System.nanoTime();
        try {
            drop(() -> unused(file -> now - file.lastUsed >= idle));
        } finally {
            lock.lock();
            try {
                looking = false;
                lookLater();
            } finally {
                lock.unlock();
            }
        }
    }
}
