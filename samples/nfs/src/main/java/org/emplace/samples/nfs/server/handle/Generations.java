// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.handle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts the files that had a key and were removed, so that a handle of a removed file never reaches the file that got its inode. Kept in an
 * append-only journal of fixed records, which is compacted when it is opened. Removals that did not go through the server are not seen.
 * Safe for use by several threads.
 */
public final class Generations implements AutoCloseable {
    private static final int RECORD = 20;
    private static final int LIMIT = 1 << 20;

    private final Map<FileKey, Integer> retired = new LinkedHashMap<>();
    private final FileChannel journal;

    private Generations(Path file) throws IOException {
        if (Files.exists(file)) {
            replay(ByteBuffer.wrap(Files.readAllBytes(file)));
        }
        Path compacted = file.resolveSibling(file.getFileName() + ".new");
        journal = FileChannel.open(
                compacted, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        try {
            for (Map.Entry<FileKey, Integer> entry : retired.entrySet()) {
                journal.write(record(entry.getKey(), entry.getValue()));
            }
            journal.force(true);
            Files.move(compacted, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            journal.close();
            throw e;
        }
    }

    /** The counts in a file, which is made if it does not exist. A torn last record is left out. */
    public static Generations in(Path file) throws IOException {
        return new Generations(file);
    }

    private void replay(ByteBuffer records) {
        while (records.remaining() >= RECORD) {
            FileKey key = new FileKey(records.getLong(), records.getLong());
            remember(key, records.getInt());
        }
    }

    private void remember(FileKey key, int generation) {
        retired.remove(key);
        retired.put(key, generation);
        if (retired.size() > LIMIT) {
            retired.remove(retired.keySet().iterator().next());
        }
    }

    /** The id of the file that has the key now. */
    public synchronized FileId current(FileKey key) {
        return new FileId(key, retired.getOrDefault(key, 0));
    }

    /** The file that has the key now is being removed: its handles end here. */
    public synchronized void retire(FileKey key) {
        int next = retired.getOrDefault(key, 0) + 1;
        remember(key, next);
        try {
            journal.write(record(key, next));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot note a removed file in the journal of generations", e);
        }
    }

    private static ByteBuffer record(FileKey key, int generation) {
        return ByteBuffer.allocate(RECORD)
                .putLong(key.device())
                .putLong(key.inode())
                .putInt(generation)
                .flip();
    }

    @Override
    public synchronized void close() throws IOException {
        journal.close();
    }
}
