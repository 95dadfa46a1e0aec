// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The records that were written to the end of a file. Each that was not reported as lost, and not cut off, is in the file once, whole. Safe
 * for use by several threads.
 */
final class AppendHistory {
    static final int RECORD = 16;

    private final Map<Long, Fate> fates = new HashMap<>();
    private final ReadWriteLock appending = new ReentrantReadWriteLock();

    private enum Fate {
        THERE,
        PERHAPS_THERE,
        CUT_OFF
    }

    /** An operation on the file. */
    @FunctionalInterface
    interface Operation {
        void run() throws IOException;
    }

    /** A record's value is in both of its words. */
    static ByteBuffer record(long value) {
        return ByteBuffer.allocate(RECORD).putLong(value).putLong(value).flip();
    }

    /** The values of the records in these bytes. */
    static List<Long> values(ByteBuffer bytes) {
        List<Long> values = new ArrayList<>();
        for (int at = 0; at + RECORD <= bytes.limit(); at += RECORD) {
            values.add(bytes.getLong(at));
        }
        return values;
    }

    /** Appends, while other threads may do that, too. */
    void append(Operation operation) throws IOException {
        run(appending.readLock(), operation);
    }

    /** Moves the file's end in another way, while no other thread does. What they have appended may not have been sent. */
    void moveEnd(Operation operation) throws IOException {
        run(appending.writeLock(), operation);
    }

    private static void run(Lock lock, Operation operation) throws IOException {
        lock.lock();
        try {
            operation.run();
        } finally {
            lock.unlock();
        }
    }

    synchronized void appended(long value) {
        fates.put(value, Fate.THERE);
    }

    synchronized void lost(long value) {
        fates.computeIfPresent(value, (key, fate) -> fate == Fate.CUT_OFF ? fate : Fate.PERHAPS_THERE);
        fates.putIfAbsent(value, Fate.PERHAPS_THERE);
    }

    synchronized void cutOff(Collection<Long> values) {
        values.forEach(value -> fates.put(value, Fate.CUT_OFF));
    }

    synchronized List<String> violations(byte[] file) {
        List<String> wrong = new ArrayList<>();
        Map<Long, Integer> found = new HashMap<>();
        ByteBuffer bytes = ByteBuffer.wrap(file);
        while (bytes.remaining() >= RECORD) {
            long value = bytes.getLong();
            long again = bytes.getLong();
            if (value != again) {
                wrong.add("half of record " + value + " and of " + again);
            }
            found.merge(value, 1, Integer::sum);
        }
        found.remove(0L); // in the place of what was lost
        fates.forEach((value, fate) -> {
            int times = found.getOrDefault(value, 0);
            if (times > 1 || (fate == Fate.THERE && times == 0) || (fate == Fate.CUT_OFF && times > 0)) {
                wrong.add("record " + value + ", " + fate + ", is there " + times + " times");
            }
        });
        return wrong;
    }
}
