// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.emplace.samples.nfs.server.store.FileId;
import org.jspecify.annotations.Nullable;

/**
 * Keeps files open between the calls of a protocol that has no open and close. At most so many; the least recently used are closed for others, and any that was
 * not used for a while when the next one is. Closing never fails for those who use the cache: they may have had nothing to do with the file. Safe for use by several
 * threads.
 *
 * @param <T> what a file is open as
 */
final class OpenFiles<T extends Closeable> implements AutoCloseable {
    private static final long IDLE = Duration.ofSeconds(30).toNanos();

    private final Map<FileId, OpenFile<T>> open = new LinkedHashMap<>(64, 0.75f, true);
    private final int limit;
    private final Opener<T> opener;
    private final Consumer<IOException> closingFailed;
    private final LongSupplier nanoTime;

    /**
     * @param limit files to keep open at most; those in use at this moment may be more
     * @param closingFailed is told why a file could not be closed; must not throw
     */
    OpenFiles(int limit, Opener<T> opener, Consumer<IOException> closingFailed, LongSupplier nanoTime) {
        this.limit = limit;
        this.opener = opener;
        this.closingFailed = closingFailed;
        this.nanoTime = nanoTime;
    }

    /** Opens a file. */
    @FunctionalInterface
    interface Opener<T> {
        T open(FileNode file) throws IOException;
    }

    /** An open file. The fields are changed under the lock of the cache. */
    private static final class OpenFile<T extends Closeable> {
        private final T file;
        private int users;
        private boolean kept = true;
        private long lastUsed;

        OpenFile(T file) {
            this.file = file;
        }
    }

    /** A file in use: stays open until it is closed here. */
    final class Use implements Closeable {
        private final OpenFile<T> used;

        private Use(OpenFile<T> used) {
            this.used = used;
            used.users++;
        }

        T file() {
            return used.file;
        }

        @Override
        public void close() {
            synchronized (OpenFiles.this) {
                used.users--;
                used.lastUsed = nanoTime.getAsLong();
                closeIfUnused(used);
            }
        }
    }

    /** The file, opened if it was not. It must be a regular one, since others may block. */
    Use use(FileNode file) throws IOException {
        Use kept = kept(file.id());
        return kept != null ? kept : keep(file.id(), opener.open(file));
    }

    private synchronized @Nullable Use kept(FileId id) {
        OpenFile<T> file = open.get(id);
        Use use = file == null ? null : new Use(file);
        closeUnused();
        return use;
    }

    private synchronized Use keep(FileId id, T opened) {
        OpenFile<T> file = new OpenFile<>(opened);
        Use use = new Use(file);
        drop(open.put(id, file));
        closeUnused();
        return use;
    }

    /** Keeps a file that was opened by making it: its mode may forbid to open it again. */
    void adopt(FileId id, T opened) {
        keep(id, opened).close();
    }

    /** Closes the file, now or when it is not in use any more. */
    synchronized void forget(FileId id) {
        drop(open.remove(id));
    }

    private void drop(@Nullable OpenFile<T> file) {
        if (file != null) {
            file.kept = false;
            closeIfUnused(file);
        }
    }

    private void closeIfUnused(OpenFile<T> file) {
        if (!file.kept && file.users == 0) {
            try {
                file.file.close();
            } catch (IOException e) {
                closingFailed.accept(e);
            }
        }
    }

    private void closeUnused() {
        long idleSince = nanoTime.getAsLong() - IDLE;
        Iterator<OpenFile<T>> eldest = open.values().iterator();
        while (eldest.hasNext()) {
            OpenFile<T> file = eldest.next();
            boolean idle = file.users == 0 && file.lastUsed - idleSince < 0;
            if (!idle && open.size() <= limit) {
                return;
            }
            if (file.users == 0) {
                eldest.remove();
                drop(file);
            }
        }
    }

    @Override
    public synchronized void close() {
        for (OpenFile<T> file : open.values()) {
            drop(file);
        }
        open.clear();
    }
}
