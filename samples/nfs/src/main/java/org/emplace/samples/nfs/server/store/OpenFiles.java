// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.io.IOException;
import java.nio.channels.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import org.jspecify.annotations.Nullable;

/**
 * Keeps files open between the calls of a protocol that has no open and close. Closes the least recently used file if there are too many,
 * and every file that has not been used for a while: an open file keeps its disk space when its last name is removed, and a program that is
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
    private final Map<K, OpenFile> open = new LinkedHashMap<>(64, 0.75f, true);
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

    /** The file; opens it if necessary. It must be a regular file, because opening others may block. */
    public Use use(K key, FileOperation<T> opener) throws IOException {
        Use kept = kept(key);
        return kept != null ? kept : keep(key, opener.run());
    }

    /** The file, if it is open. */
    public Optional<Use> useIfOpen(K key) {
        return Optional.ofNullable(kept(key));
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
    public void adopt(K key, T opened) {
        keep(key, opened).close();
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

    private @Nullable Use kept(K key) {
        lock.lock();
        try {
            // The next to open the file has to find the written data on disk, or to learn that it was lost.
            while (isClosing(key)) {
                closed.awaitUninterruptibly();
            }
            OpenFile file = open.get(key);
            if (file != null && !file.file.isOpen()) {
                open.remove(key);
                return null;
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

    private Use keep(K key, T opened) {
        List<OpenFile> unneeded = new ArrayList<>();
        Use use;
        lock.lock();
        try {
            OpenFile fresh = new OpenFile(key, opened);
            OpenFile other = open.putIfAbsent(key, fresh);
            if (other != null) {
                unneeded.add(fresh);
            }
            use = new Use(other != null ? other : fresh);
            int tooMany = Math.max(0, open.size() - limit);
            unused(file -> true).limit(tooMany).toList().forEach(file -> remove(file, unneeded));
            closing.addAll(unneeded);
            lookLater();
        } finally {
            lock.unlock();
        }
        unneeded.forEach(this::close);
        return use;
    }

    private void leave(OpenFile used) {
        boolean last;
        lock.lock();
        try {
            used.users--;
            used.lastUsed = System.nanoTime();
            last = !used.kept && used.users == 0;
            if (last) {
                closing.add(used);
            }
        } finally {
            lock.unlock();
        }
        if (last) {
            close(used);
        }
    }

    private Stream<OpenFile> unused(Predicate<OpenFile> which) {
        return open.values().stream().filter(file -> file.users == 0 && which.test(file));
    }

    private void drop(Supplier<Stream<OpenFile>> which) {
        List<OpenFile> unneeded = new ArrayList<>();
        lock.lock();
        try {
            which.get().toList().forEach(file -> remove(file, unneeded));
            closing.addAll(unneeded);
        } finally {
            lock.unlock();
        }
        unneeded.forEach(this::close);
    }

    private void remove(OpenFile file, List<OpenFile> unneeded) {
        open.remove(file.key);
        file.kept = false;
        if (file.users == 0) {
            unneeded.add(file);
        }
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
            looking = true;
            later.execute(this::closeIdle);
        }
    }

    private void closeIdle() {
        long now = System.nanoTime();
        drop(() -> unused(file -> now - file.lastUsed >= idle));
        lock.lock();
        try {
            looking = false;
            lookLater();
        } finally {
            lock.unlock();
        }
    }
}
