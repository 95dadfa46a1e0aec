// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * What happened to the blocks of a file, and what a POSIX program may then see in them: a read returns a value that some write has written,
 * unless another write lies between that write and the read; and no reader sees an older value after a newer one, unless the server
 * crashed in between while the newer one was being written. A write whose data was reported as lost may have happened or not. Safe for
 * use by several threads.
 */
final class ByteHistory {
    static final int BLOCK = 64;
    private static final long NEVER = Long.MAX_VALUE;

    private final AtomicLong clock;
    private final Map<Integer, List<Write>> writes = new HashMap<>();
    private final List<Read> reads = new ArrayList<>();
    private final List<Long> crashes = new ArrayList<>();

    /** @param clock numbers all events, of all files */
    ByteHistory(AtomicLong clock) {
        this.clock = clock;
    }

    /** A write of a value to blocks. */
    final class Write {
        final long value;
        final String what;
        final long start = clock.incrementAndGet();
        private volatile long end = NEVER;
        private volatile long stableAt = NEVER;
        private volatile boolean uncertain;

        private Write(long value, String what) {
            this.value = value;
            this.what = what;
        }

        /** It has returned. */
        void done() {
            end = clock.incrementAndGet();
        }

        /** It is on the disk. */
        void stable() {
            stableAt = Math.min(stableAt, clock.incrementAndGet());
        }

        /** It has failed, or its data was lost before it was stable. */
        void failed() {
            if (end == NEVER) {
                end = clock.incrementAndGet();
            }
            if (stableAt == NEVER) {
                uncertain = true;
            }
        }

        @Override
        public String toString() {
            return what + " value " + value + " " + start + ".." + end + (uncertain ? " uncertain" : "")
                    + (stableAt == NEVER ? "" : " stable " + stableAt);
        }
    }

    private record Read(int block, int word, long value, long start, long end, boolean ofDisk, String what) {}

    Write begin(long value, int from, int to, String what) {
        Write write = new Write(value, what);
        synchronized (this) {
            for (int block = from; block < to; block++) {
                writes.computeIfAbsent(block, key -> new ArrayList<>()).add(write);
            }
        }
        return write;
    }

    /** The server has lost what is not stable. */
    synchronized void crashed() {
        crashes.add(clock.incrementAndGet());
    }

    /** The time before an operation. */
    long now() {
        return clock.incrementAndGet();
    }

    /** Records what a read, which began at a time and has just ended, has found. */
    synchronized void read(long start, ByteBuffer bytes, int first, int last, boolean ofDisk, String what) {
        long end = clock.incrementAndGet();
        for (int block = first; block < last; block++) {
            for (int at : new int[] {0, BLOCK - Long.BYTES}) {
                int position = (block - first) * BLOCK + at;
                long value = position + Long.BYTES <= bytes.limit() ? bytes.getLong(position) : 0;
                reads.add(new Read(block, at, value, start, end, ofDisk, what));
            }
        }
    }

    /** Returns what no program may see. */
    synchronized List<String> violations() {
        List<String> wrong = new ArrayList<>();
        Map<Integer, List<Read>> byBlock = reads.stream().collect(Collectors.groupingBy(Read::block));
        byBlock.forEach((block, all) -> {
            List<Write> history = writes.getOrDefault(block, List.of());
            all.stream()
                    .filter(read -> !isPossible(read, history))
                    .limit(1)
                    .forEach(read -> wrong.add("block " + block + ": " + read + " of\n  " + lines(history)));
            wrong.addAll(backward(block, all, history));
        });
        return wrong;
    }

    private static String lines(Collection<Write> history) {
        return history.stream().map(Write::toString).collect(Collectors.joining("\n  "));
    }

    private static boolean isPossible(Read read, List<Write> history) {
        boolean never = read.value == 0 && history.stream().noneMatch(each -> hides(each, 0, read));
        return never
                || history.stream()
                        .anyMatch(write -> write.value == read.value
                                && write.start < read.end
                                && history.stream().noneMatch(each -> hides(each, write.end, read)));
    }

    /** Whether a write certainly took place after a time and before a read, so that the read cannot see what was before. */
    private static boolean hides(Write write, long after, Read read) {
        long by = read.ofDisk ? write.stableAt : write.end;
        return !write.uncertain && write.start > after && by < read.start;
    }

    private List<String> backward(int block, List<Read> all, List<Write> history) {
        Map<Long, Write> byValue = history.stream()
                .filter(write -> write.value != 0)
                .collect(Collectors.toMap(write -> write.value, write -> write, (a, b) -> a));
        List<Read> known = all.stream()
                .filter(read -> !read.ofDisk && byValue.containsKey(read.value))
                .toList();
        List<String> wrong = new ArrayList<>();
        for (Read later : known) {
            Write older = Objects.requireNonNull(byValue.get(later.value));
            for (Read earlier : known) {
                Write newer = Objects.requireNonNull(byValue.get(earlier.value));
                if (wrong.isEmpty()
                        && earlier.word == later.word
                        && earlier.end < later.start
                        && !newer.uncertain
                        && older.end < newer.start
                        && crashes.stream()
                                .noneMatch(crash -> earlier.start < crash && crash < later.end && crash < newer.end)) {
                    wrong.add("block " + block + " went back: " + earlier + ", then " + later + " of\n  "
                            + lines(history));
                }
            }
        }
        return wrong;
    }
}
