// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of one file that cannot be appended yet, because bytes before them are missing. Kept in a file on the local disk that has no name and ends
 * with the process. Not safe for use by several threads.
 */
final class Spill implements AutoCloseable {
    /** The least room that bytes take: a block on the disk, and memory for their position. */
    private static final int BLOCK = 4096;

    /**
     * Room on the local disk that several spills share. A peer may have at most seven times what it leaves, so that others find
     * room beside one that never sends the data before. Safe for use by several threads.
     */
    static final class Room {
        private static final int MOST_OF_WHAT_IS_LEFT = 7;

        private final Path directory;
        private final Map<Object, Long> held = new HashMap<>();
        private long left;

        Room(Path directory, long bytes) {
            this.directory = directory;
            this.left = bytes;
        }

        /** The number of free bytes. */
        synchronized long left() {
            return left;
        }

        private synchronized void charge(Object peer, int bytes) throws StoreException {
            long after = held.getOrDefault(peer, 0L) + bytes;
            if (after > MOST_OF_WHAT_IS_LEFT * (left - bytes)) {
                throw new StoreException(
                        Failure.JUKEBOX,
                        "no room for data that arrives out of order; retry when the data before it has been written");
            }
            held.put(peer, after);
            left -= bytes;
        }

        private synchronized void uncharge(Object peer, long bytes) {
            held.computeIfPresent(peer, (same, before) -> before == bytes ? null : before - bytes);
            left += bytes;
        }

        private FileChannel open() throws IOException {
            return FileChannel.open(
                    Files.createTempFile(directory, "nfs-hadoop", ".spill"),
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
        }
    }

    private final Room room;

    /** The beginning and the end of each run of bytes in the file. Runs neither overlap nor touch. */
    private final TreeMap<Long, Long> runs = new TreeMap<>();

    private @Nullable FileChannel channel;
    /** The bytes that each peer has of the room. */
    private final Map<Object, Long> taken = new HashMap<>();

    Spill(Room room) {
        this.room = room;
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    /** The position of the first bytes. There must be some. */
    long first() {
        return runs.firstKey();
    }

    /** The position after the last bytes; 0 if there are none. */
    long end() {
        return runs.isEmpty() ? 0 : runs.lastEntry().getValue();
    }

    /** The end of the bytes that follow an offset without a gap. */
    long reach(long offset) {
        Map.Entry<Long, Long> run = runs.floorEntry(offset);
        return run == null ? offset : Math.max(offset, run.getValue());
    }

    /**
     * Adds bytes. They replace bytes at the same positions.
     *
     * @param peer whose share of the room they take
     * @throws StoreException of JUKEBOX if there is no room
     */
    void put(Object peer, long offset, ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        int counted = Math.max(length, BLOCK);
        room.charge(peer, counted);
        taken.merge(peer, (long) counted, Long::sum);
        if (channel == null) {
            channel = room.open();
        }
        long position = offset;
        while (bytes.hasRemaining()) {
            position += channel.write(bytes, position);
        }
        add(offset, offset + length);
    }

    private void add(long from, long to) {
        long start = from;
        long end = to;
        for (Map.Entry<Long, Long> run = runs.floorEntry(end);
                run != null && run.getValue() >= start;
                run = runs.floorEntry(end)) {
            start = Math.min(start, run.getKey());
            end = Math.max(end, run.getValue());
            runs.remove(run.getKey());
        }
        runs.put(start, end);
    }

    /** Reads until the buffer is full or the last bytes end; gaps read as zeros. */
    void read(ByteBuffer destination, long offset) throws IOException {
        long position = offset;
        while (destination.hasRemaining() && position < end()) {
            Map.Entry<Long, Long> run = runs.floorEntry(position);
            boolean inside = run != null && position < run.getValue();
            long until = inside ? run.getValue() : runs.higherKey(position);
            int count = (int) Math.min(destination.remaining(), until - position);
            if (inside) {
                copy(destination, position, count);
            } else {
                destination.put(new byte[count]);
            }
            position += count;
        }
    }

    private void copy(ByteBuffer destination, long offset, int count) throws IOException {
        int limit = destination.limit();
        destination.limit(destination.position() + count);
        long position = offset;
        while (destination.hasRemaining()) {
            int read = channel == null ? -1 : channel.read(destination, position);
            if (read < 0) {
                throw new IOException("another program truncated the file of spilled data");
            }
            position += read;
        }
        destination.limit(limit);
    }

    /** Drops everything before an offset. */
    void dropBefore(long offset) throws IOException {
        for (Map.Entry<Long, Long> run = runs.firstEntry();
                run != null && run.getKey() < offset;
                run = runs.firstEntry()) {
            runs.remove(run.getKey());
            if (run.getValue() > offset) {
                runs.put(offset, run.getValue());
            }
        }
        if (runs.isEmpty()) {
            close();
        }
    }

    /** Drops everything and releases the room. */
    @Override
    public void close() throws IOException {
        runs.clear();
        taken.forEach(room::uncharge);
        taken.clear();
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }
}
