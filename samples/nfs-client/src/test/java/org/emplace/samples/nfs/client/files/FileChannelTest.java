// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.emplace.samples.nfs.client.MemoryServer.randomBytes;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.client.MemoryServer;
import org.emplace.samples.nfs.client.ServedStub;
import org.emplace.samples.nfs.protocol.Access3Args;
import org.emplace.samples.nfs.protocol.Access3Res;
import org.emplace.samples.nfs.protocol.Access3Resfail;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Create3Resok;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Lookup3Resfail;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resfail;
import org.emplace.samples.nfs.protocol.Remove3Args;
import org.emplace.samples.nfs.protocol.Remove3Res;
import org.emplace.samples.nfs.protocol.Remove3Resok;
import org.emplace.samples.nfs.protocol.Rename3Args;
import org.emplace.samples.nfs.protocol.Rename3Res;
import org.emplace.samples.nfs.protocol.Rename3Resfail;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.protocol.Write3Resfail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The behavior of an open channel, with servers that answer in unusual ways. READs and WRITEs move 64 bytes here. */
class FileChannelTest {
    private static final int DIRECT_AND_LARGE = 100_000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void forceSendsAgainWhatAServerThatRestartedHasLost(boolean direct) throws Exception {
        byte[] contents = randomBytes(direct ? DIRECT_AND_LARGE : 300);
        MemoryServer server = new ForgetfulServer(contents.length, 1);
        try (ServedStub stub = new ServedStub(server);
                FileChannel channel = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            channel.write(buffer(contents, direct));
            channel.force(false);
            assertThat(server.contents).isEqualTo(contents);
        }
    }

    @Test
    void closingAlsoSendsAgainWhatWasLost() throws Exception {
        byte[] contents = randomBytes(300);
        MemoryServer server = new ForgetfulServer(contents.length, 1);
        try (ServedStub stub = new ServedStub(server)) {
            try (FileChannel channel = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(contents));
            }
            assertThat(server.contents).isEqualTo(contents);
        }
    }

    @Test
    void rewrittenDataIsResentInOrder() throws Exception {
        byte[] contents = randomBytes(64);
        MemoryServer server = new ForgetfulServer(200, 1);
        try (ServedStub stub = new ServedStub(server);
                FileChannel channel = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(randomBytes(200)));
            channel.write(ByteBuffer.wrap(contents), 10);
            channel.force(false);
            assertThat(Arrays.copyOfRange(server.contents, 10, 74)).isEqualTo(contents);
        }
    }

    @Test
    void forceFailsIfTheServerRestartsForEver() throws Exception {
        try (ServedStub stub = new ServedStub(new ForgetfulServer(300, Integer.MAX_VALUE));
                FileChannel channel = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(randomBytes(300)));
            assertThatThrownBy(() -> channel.force(false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("restarts repeatedly");
        }
    }

    @Test
    void smallWritesGatherAndAreSentTogether() throws Exception {
        AtomicInteger writes = new AtomicInteger();
        MemoryServer server = new MemoryServer(new byte[640], 64) {
            @Override
            public Write3Res write(Write3Args args, ServerCall call) throws IOException {
                writes.incrementAndGet();
                return super.write(args, call);
            }
        };
        byte[] contents = randomBytes(640);
        try (ServedStub stub = new ServedStub(server);
                FileChannel channel = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            for (byte b : contents) {
                channel.write(ByteBuffer.wrap(new byte[] {b}));
            }
            channel.force(false);
        }
        assertThat(server.contents).isEqualTo(contents);
        assertThat(writes).hasValue(10);
    }

    @Test
    void aFailedWriteIsReportedByTheNextOperationThatWaitsForIt() throws Exception {
        try (ServedStub stub = new ServedStub(MemoryServer.full(1000));
                FileChannel channel = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[100]));
            assertThatThrownBy(() -> channel.force(false))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessage("/file: No space left on device");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aServerThatIsFetchingTheFileIsAskedAgain(boolean direct) throws Exception {
        byte[] contents = randomBytes(1000);
        AtomicInteger reads = new AtomicInteger();
        MemoryServer server = new MemoryServer(contents, 64) {
            @Override
            public Read3Res read(Read3Args args, ServerCall call) {
                return reads.getAndIncrement() < 2
                        ? new Read3Res.Default(Nfsstat3.NFS3ERR_JUKEBOX, new Read3Resfail(Optional.empty()))
                        : super.read(args, call);
            }
        };
        try (ServedStub stub = new ServedStub(server);
                FileChannel channel = FileChannel.open(stub.path("/file"))) {
            assertThat(read(channel, 1000, direct)).isEqualTo(contents);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFileThatIsReadByShortReadsArrivesWhole(boolean direct) throws Exception {
        byte[] contents = randomBytes(5000);
        try (ServedStub stub = new ServedStub(new MemoryServer(contents, 13));
                FileChannel channel = FileChannel.open(stub.path("/file"))) {
            assertThat(read(channel, 5000, direct)).isEqualTo(contents);
            assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFileHasEndedAtTheLargestPositions(boolean direct) throws Exception {
        try (ServedStub stub = new ServedStub(new MemoryServer(randomBytes(100), 64));
                FileChannel channel = FileChannel.open(stub.path("/file"))) {
            ByteBuffer into = direct ? ByteBuffer.allocateDirect(1000) : ByteBuffer.allocate(1000);
            for (long position : new long[] {Long.MAX_VALUE - 10, Long.MAX_VALUE}) {
                assertThat(channel.position(position).read(into)).isEqualTo(-1);
                assertThat(channel.read(into, position)).isEqualTo(-1);
                assertThat(channel.transferTo(position, 5, Channels.newChannel(OutputStream.nullOutputStream())))
                        .isZero();
            }
        }
    }

    @Test
    void manyOpenChannelsDoNotWaitForEachOthersBuffers() throws Exception {
        byte[] contents = randomBytes(5000);
        FileChannel[] channels = new FileChannel[40];
        try (ServedStub stub = new ServedStub(new MemoryServer(contents, 64))) {
            Path file = stub.path("/file");
            for (int i = 0; i < channels.length; i++) {
                channels[i] = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                assertThat(channels[i].read(ByteBuffer.allocate(10))).isEqualTo(10);
            }
            for (FileChannel channel : channels) {
                assertThat(channel.write(ByteBuffer.wrap(contents), 0)).isEqualTo(5000);
            }
        }
    }

    @Test
    void aFileThatIsReplacedWhileItIsOpenedIsLookedUpAgain() throws Exception {
        AtomicInteger accesses = new AtomicInteger();
        MemoryServer server = new MemoryServer(randomBytes(10), 64) {
            @Override
            public Access3Res access(Access3Args args, ServerCall call) {
                return accesses.getAndIncrement() == 0
                        ? new Access3Res.Default(Nfsstat3.NFS3ERR_STALE, new Access3Resfail(Optional.empty()))
                        : super.access(args, call);
            }
        };
        try (ServedStub stub = new ServedStub(server)) {
            assertThat(Files.readAllBytes(stub.path("/file"))).isEqualTo(server.contents);
        }
    }

    @Test
    void aCopyWhoseLastBytesCannotBeWrittenLeavesNoFile() throws Exception {
        CopyServer server = new CopyServer(true);
        try (ServedStub stub = new ServedStub(server)) {
            assertThatThrownBy(() -> Files.copy(stub.path("/file"), stub.path("/copy")))
                    .hasMessage("/copy: No space left on device");
            assertThat(server.names).containsExactly("file");
        }
    }

    @Test
    void aCopyBeginsAgainIfItsSourceIsReplacedMeanwhile() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        CopyServer server = new CopyServer(false) {
            @Override
            public Read3Res read(Read3Args args, ServerCall call) {
                return reads.incrementAndGet() == 2
                        ? new Read3Res.Default(Nfsstat3.NFS3ERR_STALE, new Read3Resfail(Optional.empty()))
                        : super.read(args, call);
            }
        };
        try (ServedStub stub = new ServedStub(server)) {
            Files.copy(stub.path("/file"), stub.path("/copy"));
            assertThat(server.names).containsExactlyInAnyOrder("file", "copy");
        }
    }

    @Test
    void deleteOnCloseDeletesEvenIfTheLastWriteFails() throws Exception {
        CopyServer server = new CopyServer(true);
        try (ServedStub stub = new ServedStub(server)) {
            FileChannel channel =
                    FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
            channel.write(ByteBuffer.wrap(new byte[10]));
            assertThatThrownBy(channel::close).hasMessage("/file: No space left on device");
            assertThat(server.names).isEmpty();
        }
    }

    @Test
    void aMoveBetweenTwoFileSystemsOfTheServerCopiesUnlessItIsToBeAtomic() throws Exception {
        CopyServer server = new CopyServer(false);
        try (ServedStub stub = new ServedStub(server)) {
            Path file = stub.path("/file");
            Path copy = stub.path("/copy");
            assertThatThrownBy(() -> Files.move(file, copy, StandardCopyOption.ATOMIC_MOVE))
                    .isInstanceOf(AtomicMoveNotSupportedException.class);
            assertThat(server.names).containsExactly("file");
            Files.move(file, copy);
            assertThat(server.names).containsExactly("copy");
        }
    }

    @Test
    void anInterruptClosesTheChannel() throws Exception {
        try (ServedStub stub = new ServedStub(new MemoryServer(randomBytes(100), 64));
                FileChannel channel = FileChannel.open(stub.path("/file"))) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(10)))
                    .isInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(channel.isOpen()).isFalse();
        }
    }

    /** Several WRITEs, or READs, are in flight, and the mount is hard. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anInterruptEndsALargeOperationThatTheServerNeverAnswers(boolean writing) throws Exception {
        CountDownLatch asked = new CountDownLatch(2);
        CountDownLatch over = new CountDownLatch(1);
        MemoryServer silent = new MemoryServer(randomBytes(1000), 64) {
            @Override
            public Read3Res read(Read3Args args, ServerCall call) {
                await(asked, over);
                return super.read(args, call);
            }

            @Override
            public Write3Res write(Write3Args args, ServerCall call) throws IOException {
                await(asked, over);
                return super.write(args, call);
            }
        };
        try (ServedStub stub = new ServedStub(silent);
                FileSystem nfs = FileSystems.newFileSystem(
                        URI.create(stub.place() + "?proto=tcp&hard&mountport=" + stub.port()), Map.of())) {
            FileChannel channel =
                    FileChannel.open(nfs.getPath("/file"), StandardOpenOption.READ, StandardOpenOption.WRITE);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                ByteBuffer direct = ByteBuffer.allocateDirect(256 * 1024);
                failure.set(catchThrowable(() -> {
                    if (writing) {
                        channel.write(direct);
                    } else {
                        channel.read(direct);
                    }
                }));
            });
            thread.start();
            asked.await();
            thread.interrupt();
            thread.join(20_000);
            boolean ended = !thread.isAlive();
            over.countDown();
            assertThat(ended).isTrue();
            assertThat(failure.get()).isInstanceOf(ClosedByInterruptException.class);
        }
    }

    private static void await(CountDownLatch asked, CountDownLatch over) {
        asked.countDown();
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server ends
        }
    }

    @Test
    void nothingIsTransferredBehindTheEndOfAFileThatWasCutElsewhere() throws Exception {
        AtomicLong size = new AtomicLong(1000);
        MemoryServer server = new MemoryServer(randomBytes(1000), 64) {
            @Override
            protected Fattr3 attributesOf(NfsFh3 file) {
                return file.equals(ROOT) ? super.attributesOf(file) : attributes(Ftype3.NF3REG, size.get());
            }
        };
        try (ServedStub stub = new ServedStub(server);
                FileChannel channel = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            size.set(0);
            ReadableByteChannel source = Channels.newChannel(new ByteArrayInputStream(randomBytes(10)));
            assertThat(channel.transferFrom(source, 500, 10)).isZero();
        }
        assertThat(server.stableWrites.get()).isZero();
    }

    private static byte[] read(FileChannel channel, int size, boolean direct) throws IOException {
        ByteBuffer into = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
        while (into.hasRemaining()) {
            assertThat(channel.read(into)).isPositive();
        }
        byte[] bytes = new byte[size];
        into.flip().get(bytes);
        return bytes;
    }

    private static ByteBuffer buffer(byte[] contents, boolean direct) {
        return direct ? ByteBuffer.allocateDirect(contents.length).put(contents).flip() : ByteBuffer.wrap(contents);
    }

    /** Restarts before a number of COMMITs: written data is lost, and the verifier changes. */
    private static final class ForgetfulServer extends MemoryServer {
        private final int restarts;

        ForgetfulServer(int size, int restarts) {
            super(new byte[size], 64);
            this.restarts = restarts;
        }

        @Override
        public Commit3Res commit(Commit3Args args, ServerCall call) {
            if (commits.get() < restarts) {
                Arrays.fill(contents, (byte) 0);
                boot.incrementAndGet();
            }
            return super.commit(args, call);
        }
    }

    /** Has files with these names and the same contents, and cannot rename them. */
    private static class CopyServer extends MemoryServer {
        final Set<String> names = ConcurrentHashMap.newKeySet();
        private final boolean full;

        CopyServer(boolean full) {
            super(new byte[100], 64);
            this.full = full;
            names.add("file");
        }

        @Override
        public Lookup3Res lookup(Lookup3Args args, ServerCall call) {
            return names.contains(args.what().name().toString())
                    ? super.lookup(args, call)
                    : new Lookup3Res.Default(Nfsstat3.NFS3ERR_NOENT, new Lookup3Resfail(Optional.empty()));
        }

        @Override
        public Create3Res create(Create3Args args, ServerCall call) {
            names.add(args.where().name().toString());
            return new Create3Res.Nfs3Ok(new Create3Resok(Optional.empty(), Optional.empty(), NO_WCC));
        }

        @Override
        public Write3Res write(Write3Args args, ServerCall call) throws IOException {
            return full
                    ? new Write3Res.Default(Nfsstat3.NFS3ERR_NOSPC, new Write3Resfail(NO_WCC))
                    : super.write(args, call);
        }

        @Override
        public Remove3Res remove(Remove3Args args, ServerCall call) {
            names.remove(args.object().name().toString());
            return new Remove3Res.Nfs3Ok(new Remove3Resok(NO_WCC));
        }

        @Override
        public Rename3Res rename(Rename3Args args, ServerCall call) {
            return new Rename3Res.Default(Nfsstat3.NFS3ERR_XDEV, new Rename3Resfail(NO_WCC, NO_WCC));
        }
    }
}
