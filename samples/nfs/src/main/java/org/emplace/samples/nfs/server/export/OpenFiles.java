// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.emplace.samples.nfs.server.handle.FileKey;
import org.jspecify.annotations.Nullable;

/**
 * Keeps files open between the calls of a protocol that has no open and close. At most so many; the least recently used are closed for
 * others, and any that was not used for a while. Safe for use by several threads.
 */
final class OpenFiles implements AutoCloseable {
    private final Map<Slot, OpenFile> open = new LinkedHashMap<>(64, 0.75f, true);
    private final int limit;
    private final Duration idle;
    private final LongSupplier nanoTime;

    /**
     * @param limit files to keep open at most; those in use at this moment may be more
     * @param idle how long an unused file stays open
     */
    OpenFiles(int limit, Duration idle, LongSupplier nanoTime) {
        this.limit = limit;
        this.idle = idle;
        this.nanoTime = nanoTime;
    }

    /** What a file is open for. Separate, since a file may allow one and not the other. */
    enum Access {
        READ(StandardOpenOption.READ),
        WRITE(StandardOpenOption.WRITE);

        private final StandardOpenOption option;

        Access(StandardOpenOption option) {
            this.option = option;
        }
    }

    private record Slot(FileKey file, Access access) {}

    /** A file in use: stays open until it is closed here. */
    final class Use implements AutoCloseable {
        private final OpenFile file;

        private Use(OpenFile file) {
            this.file = file;
        }

        FileChannel channel() {
            return file.channel();
        }

        @Override
        public void close() {
            synchronized (OpenFiles.this) {
                file.leave(nanoTime.getAsLong());
            }
        }
    }

    /** The file, opened if it was not. The path must be known to lead to it, and to a regular file, since others may block. */
    Use use(Node file, Access access) throws IOException {
        Slot slot = new Slot(file.key(), access);
        Use kept = kept(slot);
        return kept != null ? kept : keep(slot, open(file.path(), access));
    }

    /** Keeps a file that was opened by making it: its mode may forbid to open it again. */
    void adopt(FileKey file, FileChannel writable) {
        keep(new Slot(file, Access.WRITE), writable).close();
    }

    private FileChannel open(Path path, Access access) throws IOException {
        try {
            return FileChannel.open(path, access.option, LinkOption.NOFOLLOW_LINKS);
        } catch (FileSystemException e) {
            if (ErrorMapping.failureOf(e) != Failure.JUKEBOX) {
                throw e;
            }
            closeUnused(0, nanoTime.getAsLong());
            return FileChannel.open(path, access.option, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private synchronized @Nullable Use kept(Slot slot) {
        OpenFile file = open.get(slot);
        if (file != null && !file.channel().isOpen()) {
            open.remove(slot);
            return null;
        }
        return file == null ? null : enter(file);
    }

    private synchronized Use keep(Slot slot, FileChannel channel) {
        OpenFile file = new OpenFile(channel);
        Use use = enter(file);
        OpenFile other = open.put(slot, file);
        if (other != null) {
            other.drop();
        }
        closeUnused(limit, nanoTime.getAsLong());
        return use;
    }

    private Use enter(OpenFile file) {
        file.enter();
        return new Use(file);
    }

    /** Closes the file, now or when it is not in use any more. */
    synchronized void forget(FileKey file) {
        for (Access access : Access.values()) {
            OpenFile gone = open.remove(new Slot(file, access));
            if (gone != null) {
                gone.drop();
            }
        }
    }

    /** Closes what was not used for a while. To be called now and then. */
    void closeIdle() {
        closeUnused(0, nanoTime.getAsLong() - idle.toNanos());
    }

    private synchronized void closeUnused(int down, long usedBefore) {
        Iterator<OpenFile> files = open.values().iterator();
        while (open.size() > down && files.hasNext()) {
            OpenFile file = files.next();
            if (!file.inUse() && file.lastUsed() - usedBefore <= 0) {
                files.remove();
                file.drop();
            }
        }
    }

    /** Files open now. */
    synchronized int size() {
        return open.size();
    }

    @Override
    public synchronized void close() {
        open.values().forEach(OpenFile::drop);
        open.clear();
    }
}
