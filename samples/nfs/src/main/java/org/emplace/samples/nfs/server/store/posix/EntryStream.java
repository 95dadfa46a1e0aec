// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.jspecify.annotations.Nullable;

/** An open directory that is read entry by entry, without "." and "..". Used by one thread at a time. */
final class EntryStream implements Closeable {
    private static final int BUFFER = 16 * 1024;
    private static final int NAME = 19;

    private final Descriptor directory;
    private final ByteBuffer buffer =
            ByteBuffer.allocate(BUFFER).order(ByteOrder.nativeOrder()).limit(0);
    private int last;

    private EntryStream(Descriptor directory) {
        this.directory = directory;
    }

    /**
     * An entry.
     *
     * @param number the file's inode number
     * @param next the file system's offset of the following entry
     */
    record Entry(FileName name, long number, long next) {}

    /**
     * Opens a directory as the server's user.
     *
     * @param offset where to begin: 0 or the {@link Entry#next} of an entry
     */
    static EntryStream open(Descriptor directory, long offset) throws IOException {
        int flags = SystemCalls.READ_ONLY | SystemCalls.DIRECTORY | SystemCalls.NON_BLOCKING;
        Descriptor opened = Descriptor.of(SystemCalls.reopen(directory.number(), flags), "opening a directory");
        if (offset != 0 && SystemCalls.seek(opened.number(), offset) < 0) {
            opened.close();
            throw new StoreException(Failure.BAD_COOKIE, "the directory has no offset " + offset);
        }
        return new EntryStream(opened);
    }

    /** The directory. It is open as long as this stream. */
    Descriptor directory() {
        return directory;
    }

    /** The next entry, or null after the last one. */
    @Nullable
    Entry next() throws IOException {
        while (true) {
            if (!buffer.hasRemaining()) {
                buffer.limit((int) Errno.check(
                        SystemCalls.readDirectory(directory.number(), buffer.array()), "reading a directory"));
                buffer.position(0);
                if (!buffer.hasRemaining()) {
                    return null;
                }
            }
            Entry entry = parse();
            if (!isDots(entry.name())) {
                return entry;
            }
        }
    }

    /** Parses a {@code struct linux_dirent64}. */
    private Entry parse() {
        int at = buffer.position();
        last = at;
        int length = buffer.getShort(at + 16) & 0xffff;
        int end = at + NAME;
        while (buffer.get(end) != 0) {
            end++;
        }
        byte[] name = Arrays.copyOfRange(buffer.array(), at + NAME, end);
        buffer.position(at + length);
        return new Entry(new FileName(name), buffer.getLong(at), buffer.getLong(at + Long.BYTES));
    }

    private static boolean isDots(FileName name) {
        byte[] terminated = NameBytes.terminated(name);
        return NameBytes.isSelf(terminated) || NameBytes.isParent(terminated);
    }

    /** Makes the last returned entry the next one again. */
    void putBack() {
        buffer.position(last);
    }

    @Override
    public void close() throws IOException {
        directory.close();
    }
}
