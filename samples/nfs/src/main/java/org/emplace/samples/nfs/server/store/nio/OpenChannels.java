// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import org.emplace.samples.nfs.server.store.Failure;
import org.emplace.samples.nfs.server.store.nio.NodeTree.Located;
import org.jspecify.annotations.Nullable;

/**
 * Keeps files open between the calls of a protocol that has no open and close. At most so many; the least recently used are closed for
 * others, and any that was not used for a while: a program that is open for writing cannot be run on the server. Safe for use by several threads.
 */
final class OpenChannels implements AutoCloseable {
    private static final Logger LOG = System.getLogger(OpenChannels.class.getName());

    private final Map<Slot, OpenFile> open = new LinkedHashMap<>(64, 0.75f, true);
    private final Abilities abilities;
    private final int limit;
    private final long idle;
    private final Timer timer = new Timer("nfs-idle-files", true);

    OpenChannels(Abilities abilities, NioOptions options) {
        this.abilities = abilities;
        this.limit = options.openFiles();
        this.idle = options.idle().toNanos();
        long pause = Math.max(1, options.idle().toMillis() / 2);
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        closeUnused(0, idle);
                    }
                },
                pause,
                pause);
    }

    /** A file is open for one or the other, since it may allow one and not the other. */
    private record Slot(Node file, StandardOpenOption access) {}

    /** An open file. The fields change under the lock of {@link OpenChannels}. */
    private static final class OpenFile {
        private final FileChannel channel;
        private int users;
        private boolean dropped;
        private long lastUsed;

        OpenFile(FileChannel channel) {
            this.channel = channel;
        }

        /** No longer kept: closes when the last user has left. */
        void drop() {
            dropped = true;
            closeIfUnused();
        }

        void closeIfUnused() {
            if (dropped && users == 0) {
                try {
                    channel.close();
                } catch (IOException e) {
                    LOG.log(Level.WARNING, "closing a file failed; what was written may be lost: " + e);
                }
            }
        }
    }

    /** A file in use: stays open until it is closed here. */
    final class Use implements AutoCloseable {
        private final OpenFile file;

        private Use(OpenFile file) {
            this.file = file;
        }

        FileChannel channel() {
            return file.channel;
        }

        /** Reads until the buffer is full or the file ends. */
        int read(ByteBuffer destination, long offset) throws IOException {
            int start = destination.position();
            int count = offset > Long.MAX_VALUE - destination.remaining() ? -1 : 0;
            while (destination.hasRemaining() && count >= 0) {
                count = file.channel.read(destination, offset + destination.position() - start);
            }
            return destination.position() - start;
        }

        @Override
        public void close() {
            synchronized (OpenChannels.this) {
                file.users--;
                file.lastUsed = System.nanoTime();
                file.closeIfUnused();
            }
        }
    }

    /** The file, opened if it was not. It must be known to be a regular one, since others may block. */
    Use use(Located file, StandardOpenOption access) throws IOException {
        Slot slot = new Slot(file.node(), access);
        Use kept = kept(slot);
        return kept != null ? kept : keep(slot, opened(file.path(), access));
    }

    /** Keeps a file that was opened by making it: its mode may forbid to open it again. */
    void adopt(Node file, FileChannel writable) {
        keep(new Slot(file, StandardOpenOption.WRITE), writable).close();
    }

    private FileChannel opened(Path path, StandardOpenOption access) throws IOException {
        try {
            return open(path, access);
        } catch (IOException e) {
            if (ErrorMapping.failureOf(e) != Failure.JUKEBOX) {
                throw e;
            }
            closeUnused(0, 0);
            return open(path, access);
        }
    }

    private FileChannel open(Path path, StandardOpenOption access) throws IOException {
        return FileChannel.open(path, abilities.opening(access));
    }

    private synchronized @Nullable Use kept(Slot slot) {
        OpenFile file = open.get(slot);
        if (file != null && !file.channel.isOpen()) {
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
        closeUnused(limit, 0);
        return use;
    }

    private Use enter(OpenFile file) {
        file.users++;
        return new Use(file);
    }

    /** Closes the file, now or when it is not in use any more. Some file systems do not remove what is open. */
    synchronized void forget(Node file) {
        for (StandardOpenOption access : new StandardOpenOption[] {StandardOpenOption.READ, StandardOpenOption.WRITE}) {
            OpenFile gone = open.remove(new Slot(file, access));
            if (gone != null) {
                gone.drop();
            }
        }
    }

    /** Closes files, those first that were used least recently, until so many are left or one was used lately. */
    private synchronized void closeUnused(int down, long unusedFor) {
        long now = System.nanoTime();
        Iterator<OpenFile> files = open.values().iterator();
        while (open.size() > down && files.hasNext()) {
            OpenFile file = files.next();
            if (file.users == 0) {
                if (now - file.lastUsed < unusedFor) {
                    return;
                }
                files.remove();
                file.drop();
            }
        }
    }

    @Override
    public synchronized void close() {
        timer.cancel();
        open.values().forEach(OpenFile::drop);
        open.clear();
    }
}
