// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.samples.nfs.client.MemoryServer.randomBytes;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.client.MemoryServer;
import org.emplace.samples.nfs.client.ServedStub;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Getattr3Res;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Setattr3Args;
import org.emplace.samples.nfs.protocol.Setattr3Res;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.protocol.Write3Resfail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects of several channels and threads on one file. READs and WRITEs move 64 bytes here, but for the transfer that takes several steps. */
class SharedFileTest {
    @TempDir
    private Path temporary;

    @Test
    void aFailedWriteIsReportedByItsChannelOnceThoughAnotherOperationSentIt() throws Exception {
        try (ServedStub stub = new ServedStub(MemoryServer.full(1000));
                FileChannel writer = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE);
                FileChannel other =
                        FileChannel.open(stub.path("/file"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            writer.write(ByteBuffer.wrap(new byte[100]));
            assertThat(Files.size(stub.path("/file"))).isEqualTo(1000);
            assertThat(other.read(ByteBuffer.allocate(10))).isEqualTo(10);
            assertThatThrownBy(() -> writer.force(false)).hasMessage("/file: No space left on device");
            writer.force(false);
            writer.write(ByteBuffer.wrap(new byte[100]), 0);
            other.truncate(0);
            assertThatThrownBy(writer::close).hasMessage("/file: No space left on device");
        }
    }

    /** Whoever has written: a channel may be opened only to force the file. */
    @Test
    void whatForceShouldHaveMadeStableAndIsLostItReportsOnceToEachChannelThatWasOpen() throws Exception {
        try (ServedStub stub = new ServedStub(MemoryServer.full(1000));
                FileChannel writer = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE);
                FileChannel forcing = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE);
                FileChannel reading = FileChannel.open(stub.path("/file"))) {
            writer.write(ByteBuffer.wrap(new byte[100]));
            assertThatThrownBy(() -> forcing.force(true)).hasMessage("/file: No space left on device");
            forcing.force(true);
            try (FileChannel later = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
                later.force(true);
            }
            assertThatThrownBy(() -> reading.force(true)).hasMessage("/file: No space left on device");
            reading.force(true);
            assertThatThrownBy(() -> writer.force(true)).hasMessage("/file: No space left on device");
            writer.force(true);
        }
    }

    @Test
    void anInterruptOfAnotherThreadLosesNothing() throws Exception {
        SlowServer server = new SlowServer(100);
        byte[] contents = randomBytes(100);
        try (ServedStub stub = new ServedStub(server);
                FileChannel writer = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE);
                FileChannel reader = FileChannel.open(stub.path("/file"))) {
            writer.write(ByteBuffer.wrap(contents));
            Running<Integer> reading = new Running<>(() -> reader.read(ByteBuffer.allocate(10)));
            reading.interruptWhereItWaits();
            assertThatThrownBy(reading::result).isInstanceOf(ClosedByInterruptException.class);
            server.released.countDown();
            writer.force(false);
            assertThat(server.contents).isEqualTo(contents);
        }
    }

    @Test
    void anInterruptLosesNothingThatWasWrittenBefore() throws Exception {
        SlowServer server = new SlowServer(100);
        byte[] contents = randomBytes(100);
        try (ServedStub stub = new ServedStub(server);
                FileChannel channel = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(contents));
            Running<FileChannel> forcing = new Running<>(() -> {
                channel.force(false);
                return channel;
            });
            forcing.interruptWhereItWaits();
            server.released.countDown();
            assertThatThrownBy(forcing::result).isInstanceOf(ClosedByInterruptException.class);
            assertThat(server.contents).isEqualTo(contents);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void truncatedDataIsNotSentAgain(boolean byOpening) throws Exception {
        GrowingServer server = new GrowingServer(300, 0);
        try (ServedStub stub = new ServedStub(server);
                FileChannel channel = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(randomBytes(300)));
            assertThat(channel.size()).isEqualTo(300);
            try (FileChannel other = byOpening
                    ? FileChannel.open(
                            stub.path("/file"), StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                    : FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
                other.truncate(0);
                server.boot.incrementAndGet();
                channel.force(false);
                assertThat(other.size()).isZero();
            }
        }
    }

    /** As with O_APPEND on Linux, also if a position is given. */
    @Test
    void appendingGoesOnAtTheEndWhateverIsWrittenElsewhereMeanwhile() throws Exception {
        GrowingServer server = new GrowingServer(300, 100);
        try (ServedStub stub = new ServedStub(server);
                FileChannel appending = FileChannel.open(stub.path("/file"), StandardOpenOption.APPEND);
                FileChannel other = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            appending.write(ByteBuffer.wrap(new byte[] {1}));
            appending.write(ByteBuffer.wrap(new byte[] {2, 2, 2}), 0);
            appending.write(ByteBuffer.wrap(new byte[] {3}));
            other.write(ByteBuffer.wrap(new byte[] {4}), 200);
            appending.write(ByteBuffer.wrap(new byte[] {5}));
            assertThat(appending.transferFrom(source(new byte[] {6, 6}), 0, 9)).isEqualTo(2);
            assertThat(server.stable).isEqualTo(204);
        }
        byte[] expected = new byte[300];
        expected[100] = 1;
        Arrays.fill(expected, 101, 104, (byte) 2);
        expected[104] = 3;
        expected[200] = 4;
        expected[201] = 5;
        Arrays.fill(expected, 202, 204, (byte) 6);
        assertThat(server.contents).isEqualTo(expected);
    }

    /** What is written to the end of a file, or cut off from it, in other ways than by appends that are held. */
    enum Mover {
        TRANSFER,
        TRUNCATION,
        OTHER_CLIENT,
        WRITE_IN_PLACE,
        FAILED_WRITE_IN_PLACE
    }

    /** An append that is written in place holds no bytes, and one that is held is sent later. Both know where the file ended. */
    @ParameterizedTest
    @CsvSource({
        "TRANSFER, true, 250",
        "TRUNCATION, true, 20",
        "OTHER_CLIENT, true, 250",
        "WRITE_IN_PLACE, true, 250",
        "FAILED_WRITE_IN_PLACE, true, 100",
        "TRANSFER, false, 250",
        "TRUNCATION, false, 20",
        "WRITE_IN_PLACE, false, 250",
        "FAILED_WRITE_IN_PLACE, false, 100"
    })
    void appendingGoesOnAtTheEndWhateverMovesItMeanwhile(Mover mover, boolean inPlace, int end) throws Exception {
        GrowingServer server = new GrowingServer(400, 90);
        StandardOpenOption[] options = inPlace
                ? new StandardOpenOption[] {StandardOpenOption.APPEND, StandardOpenOption.DSYNC}
                : new StandardOpenOption[] {StandardOpenOption.APPEND};
        try (ServedStub stub = new ServedStub(server);
                FileChannel appending = FileChannel.open(stub.path("/file"), options);
                FileChannel other = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE);
                FileChannel stable =
                        FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE, StandardOpenOption.DSYNC)) {
            appending.write(ByteBuffer.wrap(new byte[10]));
            byte[] moved = randomBytes(150);
            switch (mover) {
                case TRANSFER ->
                    assertThat(other.transferFrom(source(moved), 100, 150)).isEqualTo(150);
                case TRUNCATION -> other.truncate(20);
                case WRITE_IN_PLACE -> stable.write(ByteBuffer.wrap(moved), 100);
                case FAILED_WRITE_IN_PLACE -> {
                    server.failing = true;
                    assertThatThrownBy(() -> stable.write(ByteBuffer.wrap(moved), 100))
                            .isInstanceOf(IOException.class);
                    server.failing = false;
                }
                case OTHER_CLIENT -> server.grow(moved);
            }
            other.write(ByteBuffer.wrap(new byte[] {1}), 0);
            appending.write(ByteBuffer.wrap(new byte[] {2, 2}));
            appending.write(ByteBuffer.wrap(new byte[] {3}));
            other.force(false);
            assertThat(server.size()).isEqualTo(end + 3);
            assertThat(ByteBuffer.wrap(server.contents, end, 3)).isEqualTo(ByteBuffer.wrap(new byte[] {2, 2, 3}));
            if (end == 250) {
                assertThat(ByteBuffer.wrap(server.contents, 100, 150)).isEqualTo(ByteBuffer.wrap(moved));
            }
        }
    }

    /** A stream can go on after an interrupt, and part of what it was writing is taken. */
    @Test
    void anAppendAfterAnInterruptedOneFollowsWhatThatHasWritten() throws Exception {
        GrowingServer server = new GrowingServer(2000, 0);
        server.mayAnswer = new CountDownLatch(1);
        try (ServedStub stub = new ServedStub(server);
                OutputStream log = Files.newOutputStream(stub.path("/file"), StandardOpenOption.APPEND)) {
            byte[] many = new byte[1000];
            Arrays.fill(many, (byte) 2);
            log.write(1);
            Running<OutputStream> writing = new Running<>(() -> {
                log.write(many);
                return log;
            });
            writing.interruptWhereItWaits();
            assertThatThrownBy(writing::result).isInstanceOf(InterruptedIOException.class);
            server.mayAnswer.countDown();
            log.write(3);
        }
        assertThat(Arrays.copyOf(server.contents, (int) server.size()))
                .doesNotContain(new byte[] {0})
                .endsWith(new byte[] {3});
    }

    /** Its bytes take their place where the transfer has come to, and may be overwritten by it; but not the other way round. */
    @Test
    void anAppendDuringATransferOverwritesNoneOfItAndLaterOnesFollowIt() throws Exception {
        GrowingServer server = new GrowingServer(400, 0);
        byte[] moved = randomBytes(256);
        try (ServedStub stub = new ServedStub(server);
                FileChannel appending = FileChannel.open(stub.path("/file"), StandardOpenOption.APPEND);
                FileChannel other = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            SeekableByteChannel source = new FailingSource(source(moved), Long.MAX_VALUE) {
                @Override
                public int read(ByteBuffer into) throws IOException {
                    if (position() == 128) {
                        appending.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
                    }
                    return super.read(into);
                }
            };
            assertThat(other.transferFrom(source, 0, 256)).isEqualTo(256);
            appending.write(ByteBuffer.wrap(new byte[] {4, 5, 6}));
            appending.force(false);
            assertThat(server.size()).isEqualTo(259);
            assertThat(ByteBuffer.wrap(server.contents, 0, 256)).isEqualTo(ByteBuffer.wrap(moved));
            assertThat(ByteBuffer.wrap(server.contents, 256, 3)).isEqualTo(ByteBuffer.wrap(new byte[] {4, 5, 6}));
        }
    }

    /** Between its parts there is room for what others append, but not within them. */
    @Test
    void aTransferByAnAppendingChannelOverwritesNoAppendOfOthers() throws Exception {
        GrowingServer server = new GrowingServer(400, 0);
        try (ServedStub stub = new ServedStub(server);
                FileChannel appending = FileChannel.open(stub.path("/file"), StandardOpenOption.APPEND);
                FileChannel other = FileChannel.open(stub.path("/file"), StandardOpenOption.APPEND)) {
            byte[] appended = new byte[50];
            Arrays.fill(appended, (byte) 1);
            ReadableByteChannel pipe = new ReadableByteChannel() {
                private int reads;

                @Override
                public int read(ByteBuffer into) throws IOException {
                    other.write(ByteBuffer.wrap(appended));
                    if (reads++ == 2) {
                        return -1;
                    }
                    into.put(new byte[50]);
                    return 50;
                }

                @Override
                public boolean isOpen() {
                    return true;
                }

                @Override
                public void close() {}
            };
            assertThat(appending.transferFrom(pipe, 0, 400)).isEqualTo(100);
            appending.force(false);
            byte[] expected = new byte[400];
            Arrays.fill(expected, 0, 50, (byte) 1);
            Arrays.fill(expected, 100, 150, (byte) 1);
            Arrays.fill(expected, 200, 250, (byte) 1);
            assertThat(server.contents).isEqualTo(expected);
        }
    }

    private FileChannel source(byte[] contents) throws IOException {
        return FileChannel.open(Files.write(temporary.resolve("source"), contents));
    }

    @Test
    void readAheadIsDiscardedWhenAnotherChannelFlushes() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        MemoryServer server = new MemoryServer(new byte[300], 64) {
            @Override
            public Getattr3Res getattr(Getattr3Args args, ServerCall call) {
                if (!args.object().equals(ROOT)) {
                    asked.countDown();
                    await(released);
                }
                return super.getattr(args, call);
            }
        };
        try (ServedStub stub = new ServedStub(server);
                FileChannel writer = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE);
                FileChannel reader = FileChannel.open(stub.path("/file"))) {
            Running<Long> asking = new Running<>(reader::size); // so that the read waits behind it
            asked.await();
            Running<Integer> reading = new Running<>(() -> reader.read(ByteBuffer.allocate(10)));
            reading.awaitItsWaiting();
            writer.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 100);
            released.countDown();
            assertThat(asking.result()).isEqualTo(300);
            assertThat(reading.result()).isEqualTo(10);
            ByteBuffer rest = ByteBuffer.allocate(290);
            while (rest.hasRemaining()) {
                assertThat(reader.read(rest)).isPositive();
            }
            assertThat(rest.flip().slice(90, 3)).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        }
    }

    /** It may do so without a new connection, if it could not write to its disk. What has been read ahead then has no lost bytes. */
    @Test
    void readAheadIsDiscardedWhenTheServerHasLostBytesThatAreSentAgain() throws Exception {
        CountDownLatch readAhead = new CountDownLatch(1);
        MemoryServer server = new MemoryServer(new byte[300], 64) {
            @Override
            public Read3Res read(Read3Args args, ServerCall call) {
                Read3Res result = super.read(args, call);
                if (args.offset() == 64) {
                    readAhead.countDown();
                }
                return result;
            }
        };
        try (ServedStub stub = new ServedStub(server);
                FileChannel writer = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE);
                FileChannel reader = FileChannel.open(stub.path("/file"))) {
            writer.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 100);
            assertThat(writer.size()).isEqualTo(300);
            Arrays.fill(server.contents, (byte) 0);
            server.boot.incrementAndGet();
            assertThat(reader.read(ByteBuffer.allocate(10))).isEqualTo(10);
            readAhead.await();
            writer.force(false);
            ByteBuffer rest = ByteBuffer.allocate(290);
            while (rest.hasRemaining()) {
                assertThat(reader.read(rest)).isPositive();
            }
            assertThat(rest.flip().slice(90, 3)).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        }
    }

    @Test
    void aSizeHasAllThatWasWrittenBeforeTheQuestionForIt() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        AtomicBoolean slow = new AtomicBoolean();
        GrowingServer server = new GrowingServer(100, 0) {
            @Override
            public Lookup3Res lookup(Lookup3Args args, ServerCall call) {
                Lookup3Res result = super.lookup(args, call);
                if (slow.getAndSet(false)) {
                    asked.countDown();
                    await(released);
                }
                return result;
            }
        };
        try (ServedStub stub = new ServedStub(server);
                FileChannel channel = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[10]));
            slow.set(true);
            Running<Long> asking = new Running<>(() -> Files.size(stub.path("/file")));
            asked.await();
            channel.force(false);
            released.countDown();
            assertThat(asking.result()).isEqualTo(10);
        }
    }

    @Test
    void aThreadThatWaitsForAnOperationOfAnotherCanBeInterrupted() throws Exception {
        SlowServer server = new SlowServer(100);
        try (ServedStub stub = new ServedStub(server);
                FileChannel writer = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            writer.write(ByteBuffer.wrap(new byte[100]));
            Running<FileChannel> forcing = new Running<>(() -> {
                writer.force(false);
                return writer;
            });
            forcing.awaitItsWaiting();
            Running<Long> asking = new Running<>(() -> Files.size(stub.path("/file")));
            asking.interruptWhereItWaits();
            assertThatThrownBy(asking::result).isInstanceOf(InterruptedIOException.class);
            server.released.countDown();
            assertThat(forcing.result().isOpen()).isTrue();
        }
    }

    @Test
    void aChannelWhoseClosingIsInterruptedKeepsNoBuffers() throws Exception {
        SlowServer server = new SlowServer(512);
        try (ServedStub stub = new ServedStub(server)) {
            for (int i = 0; i < 2; i++) { // which have all that there are
                FileChannel channel = FileChannel.open(stub.path("/file" + i), StandardOpenOption.WRITE);
                channel.write(ByteBuffer.wrap(new byte[512]));
                interruptClosing(channel);
            }
            server.released.countDown();
            try (FileChannel channel = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
                for (int i = 0; i < 10; i++) {
                    channel.write(ByteBuffer.wrap(new byte[1]));
                }
            }
            assertThat(server.stableWrites)
                    .as("WRITEs of bytes that could not gather")
                    .hasValue(1);
        }
    }

    private static void interruptClosing(FileChannel channel) throws Exception {
        Running<FileChannel> closing = new Running<>(() -> {
            channel.close();
            return channel;
        });
        closing.interruptWhereItWaits();
        assertThatThrownBy(closing::result).isInstanceOf(ClosedByInterruptException.class);
    }

    @Test
    void whatAnInterruptedClosingDiscardsIsReportedByForceOfOtherChannels() throws Exception {
        SlowServer server = new SlowServer(100);
        try (ServedStub stub = new ServedStub(server);
                FileChannel other = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            FileChannel channel = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE);
            channel.write(ByteBuffer.wrap(new byte[100]));
            interruptClosing(channel);
            server.released.countDown();
            assertThatThrownBy(() -> other.force(false)).hasMessageContaining("was closed before");
            other.force(false);
        }
    }

    /** The transfer reads the channel that it writes. */
    @Test
    void closingEndsATransferWithinTheFile() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        SlowServer server = new SlowServer(1000) {
            @Override
            public Write3Res write(Write3Args args, ServerCall call) throws IOException {
                writing.countDown();
                return super.write(args, call);
            }
        };
        try (ServedStub stub = new ServedStub(server)) {
            FileChannel channel =
                    FileChannel.open(stub.path("/file"), StandardOpenOption.READ, StandardOpenOption.WRITE);
            Running<Long> moving = new Running<>(() -> channel.transferFrom(channel, 500, 200));
            writing.await();
            moving.awaitItsWaiting();
            Running<FileChannel> closing = new Running<>(() -> {
                channel.close();
                return channel;
            });
            assertThatThrownBy(moving::result).isInstanceOf(AsynchronousCloseException.class);
            server.released.countDown();
            assertThat(closing.result().isOpen()).isFalse();
        }
    }

    /** Each is an operation of both channels, of which an interrupt closes one. */
    @Test
    void anInterruptEndsTransfersInOppositeDirections() throws Exception {
        CountDownLatch reading = new CountDownLatch(2);
        CountDownLatch released = new CountDownLatch(1);
        MemoryServer server = new MemoryServer(new byte[300], 64) {
            @Override
            public Read3Res read(Read3Args args, ServerCall call) {
                reading.countDown();
                await(released);
                return super.read(args, call);
            }
        };
        try (ServedStub stub = new ServedStub(server);
                FileChannel one =
                        FileChannel.open(stub.path("/one"), StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileChannel other =
                        FileChannel.open(stub.path("/other"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Running<Long> there = new Running<>(() -> one.transferFrom(other, 0, 100));
            Running<Long> back = new Running<>(() -> other.transferFrom(one, 0, 100));
            reading.await();
            there.interruptWhereItWaits();
            assertThatThrownBy(there::result).isInstanceOf(ClosedByInterruptException.class);
            assertThatThrownBy(back::result).isInstanceOf(IOException.class);
            assertThat(other.isOpen()).isFalse();
            released.countDown();
        }
    }

    /** Here the server keeps what has been written, though it has restarted. The transfer takes several steps. */
    @Test
    void aTransferWithinTheFileIsRightThoughTheServerRestartsAndItIsSentAgain() throws Exception {
        int size = 600 * 1024;
        byte[] contents = randomBytes(size);
        MemoryServer server = new MemoryServer(contents.clone(), 64 * 1024) {
            @Override
            protected int transfer() {
                return 64 * 1024;
            }

            @Override
            public Commit3Res commit(Commit3Args args, ServerCall call) {
                boot.set(1);
                return super.commit(args, call);
            }
        };
        try (ServedStub stub = new ServedStub(server);
                FileChannel channel =
                        FileChannel.open(stub.path("/file"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            assertThat(channel.position(100).transferFrom(channel, 0, size)).isEqualTo(size - 100);
            byte[] expected = contents.clone();
            System.arraycopy(contents, 100, expected, 0, size - 100);
            assertThat(server.contents).isEqualTo(expected);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The work of a thread. */
    private static final class Running<R> {
        private final FutureTask<R> task;
        private final Thread thread;

        Running(Callable<R> work) {
            task = new FutureTask<>(work);
            thread = new Thread(task);
            thread.start();
        }

        void awaitItsWaiting() throws InterruptedException {
            while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.sleep(1);
            }
        }

        void interruptWhereItWaits() throws InterruptedException {
            Thread.sleep(200); // If it is not there yet, the test shows less, but does not fail.
            thread.interrupt();
        }

        R result() throws Exception {
            try {
                return task.get(10, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception failure) {
                    throw failure;
                }
                throw e;
            }
        }
    }

    /** Answers no WRITE until it is released. */
    private static class SlowServer extends MemoryServer {
        final CountDownLatch released = new CountDownLatch(1);

        SlowServer(int size) {
            super(new byte[size], 64);
        }

        @Override
        public Write3Res write(Write3Args args, ServerCall call) throws IOException {
            await(released);
            return super.write(args, call);
        }
    }

    /** Has a file that ends after the last write, or where it was truncated. */
    private static class GrowingServer extends MemoryServer {
        volatile CountDownLatch mayAnswer = new CountDownLatch(0); // a WRITE
        volatile boolean failing;
        volatile long stable;
        private long size;

        GrowingServer(int largest, int size) {
            super(new byte[largest], 64);
            this.size = size;
        }

        synchronized long size() {
            return size;
        }

        /** Another client writes these bytes to the end. */
        synchronized void grow(byte[] bytes) {
            System.arraycopy(bytes, 0, contents, (int) size, bytes.length);
            size += bytes.length;
        }

        @Override
        public Write3Res write(Write3Args args, ServerCall call) throws IOException {
            await(mayAnswer);
            return written(args, call);
        }

        private synchronized Write3Res written(Write3Args args, ServerCall call) throws IOException {
            if (failing) {
                return new Write3Res.Default(Nfsstat3.NFS3ERR_NOSPC, new Write3Resfail(NO_WCC));
            }
            size = Math.max(size, args.offset() + args.count());
            stable = args.stable() == StableHow.UNSTABLE ? stable : size;
            return super.write(args, call);
        }

        @Override
        public synchronized Commit3Res commit(Commit3Args args, ServerCall call) {
            stable = size;
            return super.commit(args, call);
        }

        @Override
        public synchronized Setattr3Res setattr(Setattr3Args args, ServerCall call) {
            size = args.newAttributes().size().orElse(size);
            return super.setattr(args, call);
        }

        @Override
        protected synchronized Fattr3 attributesOf(NfsFh3 file) {
            return file.equals(ROOT) ? super.attributesOf(file) : attributes(Ftype3.NF3REG, size);
        }
    }
}
