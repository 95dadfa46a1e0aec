// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.client.MemoryServer;
import org.emplace.samples.nfs.client.ServedStub;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Lookup3Resfail;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resfail;
import org.emplace.samples.nfs.protocol.Rename3Args;
import org.emplace.samples.nfs.protocol.Rename3Res;
import org.emplace.samples.nfs.protocol.Rename3Resfail;
import org.emplace.samples.nfs.protocol.Setattr3Args;
import org.emplace.samples.nfs.protocol.Setattr3Res;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An operation that has ended, in whatever way, leaves nothing that is done later: its WRITEs have been answered, or their connection has
 * ended. A failure to look shows no absence.
 */
@Timeout(60)
class EndedOperationsTest {
    @TempDir
    private Path temporary;

    /** Counts the WRITEs that run and have run. */
    private static class CountingServer extends MemoryServer {
        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger begun = new AtomicInteger();

        CountingServer() {
            super(new byte[100_000], 64);
        }

        @Override
        public Write3Res write(Write3Args args, ServerCall call) throws IOException {
            running.incrementAndGet();
            begun.incrementAndGet();
            try {
                Thread.sleep(5);
                return super.write(args, call);
            } catch (InterruptedException e) {
                throw new IOException(e);
            } finally {
                running.decrementAndGet();
            }
        }
    }

    @Test
    void aTransferWhoseSourceFailsHasNoWriteInFlight() throws Exception {
        Path source = Files.write(temporary.resolve("source"), new byte[50_000]);
        CountingServer server = new CountingServer();
        try (ServedStub stub = new ServedStub(server);
                FileChannel channel = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE);
                FileChannel in = FileChannel.open(source)) {
            FailingSource failing = new FailingSource(in, 640);
            assertThatThrownBy(() -> channel.transferFrom(failing, 0, 50_000)).hasMessage("the source fails");
            assertThat(server.running).hasValue(0);
            int begun = server.begun.get();
            Thread.sleep(100);
            assertThat(server.begun).as("WRITEs later").hasValue(begun);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server ends
        }
    }

    /** Answers no WRITE and SETATTR. Knows the connection of the first. */
    private static final class SilentServer extends MemoryServer {
        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch over = new CountDownLatch(1);
        final AtomicReference<RpcConnection> connection = new AtomicReference<>();

        SilentServer() {
            super(new byte[300_000], 64);
        }

        @Override
        public Write3Res write(Write3Args args, ServerCall call) throws IOException {
            asked(call);
            return super.write(args, call);
        }

        @Override
        public Setattr3Res setattr(Setattr3Args args, ServerCall call) {
            asked(call);
            return super.setattr(args, call);
        }

        private void asked(ServerCall call) {
            connection.compareAndSet(null, call.connection());
            asked.countDown();
            await(over);
        }

        void awaitEndOfConnection() throws Exception {
            CountDownLatch ended = new CountDownLatch(1);
            Objects.requireNonNull(connection.get()).closed().whenComplete((done, why) -> ended.countDown());
            assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** By as few as one call: then no other one's end ends the connection. */
    @ParameterizedTest
    @CsvSource({
        "transferFrom, 300",
        "transferFrom, 60",
        "direct, 65536",
        "stable, 60",
        "force, 300",
        "force, 60",
        "close, 300",
        "truncate, 0"
    })
    void theConnectionOfCallsThatAreNotAnsweredEndsWithAnInterrupt(String how, int length) throws Exception {
        Path source = Files.write(temporary.resolve("source"), new byte[length]);
        SilentServer server = new SilentServer();
        try (ServedStub stub = new ServedStub(server)) {
            FileChannel channel = FileChannel.open(
                    stub.path("/file"),
                    how.equals("stable")
                            ? Set.of(StandardOpenOption.WRITE, StandardOpenOption.DSYNC)
                            : Set.of(StandardOpenOption.WRITE));
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread thread = new Thread(() -> failure.set(catchThrowable(() -> {
                try (FileChannel in = FileChannel.open(source)) {
                    switch (how) {
                        case "transferFrom" -> channel.transferFrom(in, 0, length);
                        case "direct" -> channel.write(ByteBuffer.allocateDirect(length));
                        case "truncate" -> channel.truncate(length);
                        default -> channel.write(ByteBuffer.allocate(length));
                    }
                    if (how.equals("force")) {
                        channel.force(false);
                    }
                    channel.close();
                }
            })));
            thread.start();
            server.asked.await();
            while (thread.isAlive()) { // an interrupt of force closes the channel, which waits again
                thread.interrupt();
                thread.join(100);
            }
            server.awaitEndOfConnection();
            server.over.countDown();
            assertThat(failure.get()).isInstanceOf(ClosedByInterruptException.class);
        }
    }

    /** An end would let the kernel go on sending what the client has given up. */
    @Test
    void theConnectionOfACallThatIsGivenUpIsReset() throws Exception {
        SilentServer server = new SilentServer();
        try (ServedStub stub = new ServedStub(server);
                Relay relay = new Relay(stub.port());
                FileSystem nfs = FileSystems.newFileSystem(
                        URI.create(
                                "nfs://127.0.0.1:" + relay.port() + "/e?proto=tcp&timeo=200&mountport=" + stub.port()),
                        Map.of())) {
            FileChannel channel = FileChannel.open(nfs.getPath("/file"), StandardOpenOption.WRITE);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread thread = new Thread(
                    () -> failure.set(catchThrowable(() -> channel.write(ByteBuffer.allocateDirect(65_536)))));
            thread.start();
            server.asked.await();
            thread.interrupt();
            assertThat(relay.firstEnd.get(30, TimeUnit.SECONDS)).isEqualTo("reset");
            server.over.countDown();
            thread.join();
            assertThat(failure.get()).isInstanceOf(ClosedByInterruptException.class);
        }
    }

    /** Passes connections on, and knows how the client ended the first. */
    private static final class Relay implements AutoCloseable {
        final CompletableFuture<String> firstEnd = new CompletableFuture<>();
        private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final int to;

        Relay(int to) throws IOException {
            this.to = to;
            start(this::accept);
        }

        int port() {
            return listening.getLocalPort();
        }

        private static void start(Runnable work) {
            Thread thread = new Thread(work, "relay");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            try {
                while (true) {
                    Socket client = listening.accept();
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), to);
                    start(() -> {
                        firstEnd.complete(pass(client, server));
                        close(server);
                    });
                    start(() -> {
                        pass(server, client);
                        close(client);
                    });
                }
            } catch (IOException e) {
                // The test is over.
            }
        }

        private static String pass(Socket from, Socket to) {
            try {
                from.getInputStream().transferTo(to.getOutputStream());
                return "closed";
            } catch (SocketException e) {
                return "Connection reset".equals(e.getMessage()) ? "reset" : e.toString();
            } catch (IOException e) {
                return e.toString();
            }
        }

        private static void close(Socket socket) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theConnectionOfAWriteThatTimesOutEnds(boolean direct) throws Exception {
        SilentServer server = new SilentServer();
        try (ServedStub stub = new ServedStub(server);
                FileSystem nfs = FileSystems.newFileSystem(
                        URI.create(stub.place() + "?proto=tcp&timeo=5&mountport=" + stub.port()), Map.of())) {
            FileChannel channel = FileChannel.open(nfs.getPath("/file"), StandardOpenOption.WRITE);
            ByteBuffer bytes = direct ? ByteBuffer.allocateDirect(100_000) : ByteBuffer.allocate(100);
            assertThatThrownBy(() -> {
                        channel.write(bytes);
                        channel.force(false);
                    })
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining("no reply within");
            server.awaitEndOfConnection();
            server.over.countDown();
            channel.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closingWakesAReaderWhoseServerDoesNotAnswer(boolean positional) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        MemoryServer silent = new MemoryServer(new byte[100], 64) {
            @Override
            public Read3Res read(Read3Args args, ServerCall call) {
                asked.countDown();
                await(over);
                return super.read(args, call);
            }
        };
        try (ServedStub stub = new ServedStub(silent)) {
            FileChannel channel = FileChannel.open(stub.path("/file"));
            AtomicReference<Throwable> failure = new AtomicReference<>();
            AtomicReference<Boolean> interrupted = new AtomicReference<>();
            Thread reader = new Thread(() -> {
                ByteBuffer into = ByteBuffer.allocate(10);
                failure.set(catchThrowable(() -> {
                    if (positional) {
                        channel.read(into, 0);
                    } else {
                        channel.read(into);
                    }
                }));
                interrupted.set(Thread.currentThread().isInterrupted());
            });
            reader.start();
            asked.await();
            channel.close();
            reader.join();
            over.countDown();
            assertThat(failure.get()).isInstanceOf(AsynchronousCloseException.class);
            assertThat(interrupted.get()).isFalse();
        }
    }

    /** @param status why the server cannot say whether the target exists */
    @ParameterizedTest
    @ValueSource(strings = {"NFS3ERR_IO", "NFS3ERR_ACCES", "NFS3ERR_SERVERFAULT", "NFS3_OK"})
    void aMoveReplacesNothingThatItCouldNotLookAt(String status) throws Exception {
        AtomicInteger renames = new AtomicInteger();
        MemoryServer server = new MemoryServer(new byte[100], 64) {
            @Override
            public Lookup3Res lookup(Lookup3Args args, ServerCall call) {
                Nfsstat3 result = Nfsstat3.valueOf(status);
                return args.what().name().toString().equals("target") && result != Nfsstat3.NFS3_OK
                        ? new Lookup3Res.Default(result, new Lookup3Resfail(Optional.empty()))
                        : super.lookup(args, call);
            }

            @Override
            public Rename3Res rename(Rename3Args args, ServerCall call) {
                renames.incrementAndGet();
                return new Rename3Res.Default(Nfsstat3.NFS3ERR_IO, new Rename3Resfail(NO_WCC, NO_WCC));
            }
        };
        try (ServedStub stub = new ServedStub(server)) {
            Throwable thrown = catchThrowable(() -> Files.move(stub.path("/source"), stub.path("/target")));
            if (status.equals("NFS3_OK")) { // the two names have different handles, but the same number
                assertThat(thrown).isNull();
            } else {
                assertThat(thrown)
                        .isInstanceOf(FileSystemException.class)
                        .isNotInstanceOf(FileAlreadyExistsException.class);
            }
            assertThat(renames).hasValue(0);
        }
    }

    @Test
    void aChannelWhoseFileSomebodyHasRemovedStaysStale() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        MemoryServer server = new MemoryServer(new byte[100], 64) {
            @Override
            public Read3Res read(Read3Args args, ServerCall call) {
                return reads.getAndIncrement() == 0
                        ? super.read(args, call)
                        : new Read3Res.Default(Nfsstat3.NFS3ERR_STALE, new Read3Resfail(Optional.empty()));
            }
        };
        try (ServedStub stub = new ServedStub(server);
                FileChannel channel = FileChannel.open(stub.path("/file"))) {
            assertThat(channel.read(ByteBuffer.allocate(10), 0)).isEqualTo(10);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(10), 0))
                        .hasMessageContaining("Stale file handle");
                assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(10)))
                        .hasMessageContaining("Stale file handle");
            }
        }
    }
}
