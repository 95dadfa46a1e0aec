// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.apache.hadoop.fs.StreamCapabilities;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads of a file by calls in any order. */
class CursorsTest {
    private static final int PIECE = 1000;

    private final byte[] content = new byte[100 * PIECE];
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger sought = new AtomicInteger();
    private final AtomicInteger positioned = new AtomicInteger();
    /** The thread that has read each piece in order. */
    private final Map<Integer, Thread> readers = new ConcurrentHashMap<>();

    private CountDownLatch mayRead = new CountDownLatch(0);
    /** Pieces that may be read later than the others. */
    private final Map<Integer, CountDownLatch> mayReadPiece = new ConcurrentHashMap<>();

    private final Set<Integer> broken = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Cursors cursors;

    CursorsTest() {
        new Random(3).nextBytes(content);
        this.cursors = new Cursors(open(), this::open, Cursors.Waits.DEFAULT);
    }

    @AfterEach
    void closesEveryStream() throws IOException {
        threads.shutdownNow();
        cursors.close();
        assertThat(opened).hasValue(0);
    }

    private void openWith(Duration inProgress, Duration turn) throws IOException {
        cursors.close();
        cursors = new Cursors(open(), this::open, new Cursors.Waits(inProgress, turn));
    }

    private FSDataInputStream open() {
        opened.incrementAndGet();
        return new FSDataInputStream(new Stream());
    }

    /** A stream over the content that counts reads. */
    private final class Stream extends InputStream
            implements Seekable,
                    PositionedReadable,
                    ByteBufferReadable,
                    ByteBufferPositionedReadable,
                    StreamCapabilities {
        private int position;

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] bytes, int start, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean hasCapability(String capability) {
            return true;
        }

        @Override
        public int read(ByteBuffer destination) throws IOException {
            readers.put(position / PIECE, Thread.currentThread());
            int count = copy(position, destination);
            position += Math.max(count, 0);
            return count;
        }

        @Override
        public int read(long offset, ByteBuffer destination) throws IOException {
            positioned.incrementAndGet();
            return copy((int) offset, destination);
        }

        private int copy(int offset, ByteBuffer destination) throws IOException {
            try {
                mayReadPiece.getOrDefault(offset / PIECE, mayRead).await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (broken.contains(offset / PIECE)) {
                throw new IOException("piece " + offset / PIECE + " is broken");
            }
            int count = Math.min(Math.min(destination.remaining(), 300), content.length - offset);
            if (count > 0) {
                destination.put(content, offset, count);
            }
            return count > 0 ? count : -1;
        }

        @Override
        public void readFully(long offset, ByteBuffer destination) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void seek(long offset) throws IOException {
            if (offset > content.length) {
                throw new EOFException();
            }
            sought.incrementAndGet();
            position = (int) offset;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public boolean seekToNewSource(long offset) {
            return false;
        }

        @Override
        public int read(long offset, byte[] bytes, int start, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void readFully(long offset, byte[] bytes, int start, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void readFully(long offset, byte[] bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            opened.decrementAndGet();
        }
    }

    /** Reads a piece of the file, and compares it. */
    private void read(int piece) throws IOException {
        ByteBuffer destination = ByteBuffer.allocateDirect(PIECE);
        cursors.read(destination, (long) piece * PIECE);
        byte[] bytes = new byte[destination.flip().remaining()];
        destination.get(bytes);
        assertThat(bytes).isEqualTo(Arrays.copyOfRange(content, piece * PIECE, (piece + 1) * PIECE));
    }

    @Test
    void sequentialReadsUseOneStreamWithoutSeeking() throws IOException {
        for (int piece = 0; piece < 100; piece++) {
            read(piece);
        }
        assertThat(opened).hasValue(1);
        assertThat(sought).hasValue(0);
        assertThat(positioned).hasValue(0);
    }

    @Test
    void readsThatOvertakeOthersWaitForThem() throws Exception {
        openWith(Duration.ofMinutes(1), Duration.ofMinutes(1));
        readTogether(0, 1, 2, 3);
        assertThat(opened).hasValue(1);
        assertThat(sought).hasValue(0);
        assertThat(positioned).hasValue(0);
    }

    @Test
    void theThreadOfTheLastReadThatWaitsReadsForThoseBeforeItToo() throws Exception {
        openWith(Duration.ofMinutes(1), Duration.ofMinutes(1));
        readTogether(0, 2, 3, 1);
        assertThat(readers.get(1)).isSameAs(readers.get(3)).isNotSameAs(readers.get(0));
        assertThat(readers.get(2)).isSameAs(readers.get(3));
    }

    /** Otherwise the other thread would read into a buffer that serves the next call. */
    @Test
    void aReadDoesNotReturnWhileAnotherThreadReadsForItEvenIfItIsInterrupted() throws Exception {
        mayRead = new CountDownLatch(1);
        Future<?> first = startAndWait(0);
        AtomicBoolean interruptedAfterward = new AtomicBoolean();
        FutureTask<?> second = new FutureTask<>(() -> {
            read(1);
            interruptedAfterward.set(Thread.interrupted());
            return null;
        });
        Thread interrupted = new Thread(second);
        interrupted.start();
        awaitWaiting(interrupted);
        Future<?> third = startAndWait(2);
        CountDownLatch mayReadSecond = new CountDownLatch(1);
        mayReadPiece.put(1, mayReadSecond);
        mayRead.countDown();
        first.get();
        Awaitility.await().until(() -> readers.containsKey(1));
        interrupted.interrupt();
        Thread.sleep(50);
        assertThat(second).isNotDone();
        mayReadSecond.countDown();
        second.get();
        third.get();
        assertThat(interruptedAfterward).isTrue();
    }

    /**
     * The thread of a READ may run late. READs after it must not open streams of their own, because requests to data nodes cost more than waiting.
     */
    @Test
    void aReadWaitsForOneThatHasYetToArriveWhileTheFileIsReadInOrder() throws Exception {
        openWith(Duration.ofMinutes(1), Duration.ofMinutes(1));
        read(0);
        Future<?> overtaking = startAndWait(2);
        Future<?> behind = startAndWait(3);
        read(1);
        overtaking.get();
        behind.get();
        assertThat(opened).hasValue(1);
        assertThat(sought).hasValue(0);
        assertThat(positioned).hasValue(0);
    }

    @Test
    void onlyTheReadWhoseBytesCannotBeReadFails() throws Exception {
        broken.add(1);
        mayRead = new CountDownLatch(1);
        Future<?> first = startAndWait(0);
        Future<?> second = startAndWait(1);
        Future<?> third = startAndWait(2);
        mayRead.countDown();
        first.get();
        assertThatThrownBy(second::get)
                .hasCauseInstanceOf(IOException.class)
                .hasMessageContaining("piece 1 is broken");
        third.get();
    }

    @Test
    void readsGoOnWithoutOneThatIsInterruptedWhileItWaits() throws Exception {
        openWith(Duration.ofMinutes(1), Duration.ZERO);
        mayRead = new CountDownLatch(1);
        Future<?> first = startAndWait(0);
        FutureTask<?> second = new FutureTask<>(() -> {
            read(1);
            return null;
        });
        Thread interrupted = new Thread(second);
        interrupted.start();
        awaitWaiting(interrupted);
        Future<?> third = startAndWait(2);
        interrupted.interrupt();
        assertThatThrownBy(second::get).hasCauseInstanceOf(InterruptedIOException.class);
        mayRead.countDown();
        first.get();
        third.get();
    }

    private static void awaitWaiting(Thread thread) {
        Awaitility.await()
                .until(() ->
                        thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void aReadThatFollowsNoOtherDoesNotWait() throws IOException {
        openWith(Duration.ofDays(1), Duration.ofDays(1));
        read(50);
        read(20);
        read(70);
        assertThat(positioned.get()).as("each in parts").isEqualTo(3 * 4);
    }

    @Test
    void aFileThatIsReadOnceMoreIsReadInOrderFromItsBeginningOn() throws IOException {
        for (int round = 0; round < 2; round++) {
            for (int piece = 0; piece < 100; piece++) {
                read(piece);
            }
        }
        assertThat(positioned).hasValue(0);
    }

    /** Starts to read these pieces in this order, each by a thread of its own, before the first may be read. */
    private void readTogether(int... pieces) throws Exception {
        mayRead = new CountDownLatch(1);
        List<Future<?>> running = new ArrayList<>();
        for (int piece : pieces) {
            running.add(startAndWait(piece));
        }
        mayRead.countDown();
        for (Future<?> each : running) {
            each.get();
        }
    }

    private Future<?> startAndWait(int piece) {
        List<Thread> reading = Collections.synchronizedList(new ArrayList<>());
        Future<?> running = threads.submit(() -> {
            reading.add(Thread.currentThread());
            read(piece);
            return null;
        });
        Awaitility.await().until(() -> !reading.isEmpty());
        awaitWaiting(reading.get(0));
        return running;
    }

    @Test
    void twoSequentialReadersDoNotDisturbEachOther() throws IOException {
        for (int piece = 0; piece < 40; piece++) {
            read(piece);
            read(50 + piece);
        }
        assertThat(opened).hasValue(2);
        assertThat(positioned.get())
                .as("the first piece of the second, in parts")
                .isEqualTo(4);
        assertThat(sought).as("the second stream to its second piece").hasValue(1);
    }

    @Test
    void aReadThatFollowsNoOtherUsesItsOffset() throws IOException {
        for (int piece = 98; piece > 0; piece -= 2) {
            read(piece);
        }
        assertThat(sought).hasValue(0);
        assertThat(opened.get()).isLessThanOrEqualTo(4);
    }

    @Test
    void manyReadersInRandomOrderGetTheRightBytes() throws Exception {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            order.add(i % 100);
        }
        Collections.shuffle(order, new Random(4));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int piece : order) {
                running.add(threads.submit(() -> {
                    read(piece);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(opened.get()).isLessThanOrEqualTo(4);
    }

    @Test
    void readsBeyondTheEndReturnNothing() throws IOException {
        ByteBuffer destination = ByteBuffer.allocate(2 * PIECE);
        cursors.read(destination, 99L * PIECE);
        assertThat(destination.position()).isEqualTo(PIECE);
        cursors.read(destination, 100L * PIECE);
        cursors.read(destination, 200L * PIECE);
        assertThat(destination.position()).isEqualTo(PIECE);
    }
}
