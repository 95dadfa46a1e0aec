// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How file contents travel, whatever a server makes of the single READ or WRITE. */
class TransferTest {
    private static final NfsFh3 FILE = OneDirectoryServer.handle("file");

    @TempDir
    private Path directory = Path.of("");

    @Test
    void aFileOfManyReadsArrivesInOrder() throws Exception {
        byte[] contents = randomBytes(OneDirectoryServer.TRANSFER * 100 + 7);
        assertThat(readFrom(new MemoryServer(contents, 64), contents.length)).isEqualTo(contents);
    }

    @Test
    void aShortReadIsReadOn() throws Exception {
        byte[] contents = randomBytes(500);
        assertThat(readFrom(new MemoryServer(contents, 5), contents.length)).isEqualTo(contents);
    }

    @Test
    void aFileThatHasGrownIsReadToItsEnd() throws Exception {
        byte[] contents = randomBytes(1000);
        assertThat(readFrom(new MemoryServer(contents, 64), 10)).isEqualTo(contents);
    }

    @Test
    void aFileThatHasShrunkIsReadToItsEnd() throws Exception {
        byte[] contents = randomBytes(100);
        assertThat(readFrom(new MemoryServer(contents, 64), 100_000)).isEqualTo(contents);
    }

    @Test
    void noMoreMemoryIsOfferedForAReadThanTheFileNeeds() throws Exception {
        List<Long> asked = new CopyOnWriteArrayList<>();
        MemoryServer server = new MemoryServer(randomBytes(70_000), 1 << 20) {
            @Override
            int transfer() {
                return 1 << 16;
            }

            @Override
            public Read3Res read(Read3Args args, ServerCall call) {
                asked.add(args.count());
                return super.read(args, call);
            }
        };
        readFrom(server, 70_000);
        assertThat(asked).containsExactlyInAnyOrder(65_536L, 4608L);
    }

    @Test
    void aFileOfManyWritesIsWrittenUnstablyAndCommittedOnce() throws Exception {
        byte[] contents = randomBytes(OneDirectoryServer.TRANSFER * 100 + 7);
        MemoryServer server = new MemoryServer(new byte[contents.length], 64);
        writeTo(server, contents);
        assertThat(server.contents).isEqualTo(contents);
        assertThat(server.stableWrites).hasValue(0);
        assertThat(server.commits).hasValue(1);
    }

    @Test
    void aFileOfOneWriteIsWrittenStably() throws Exception {
        byte[] contents = randomBytes(20);
        MemoryServer server = new MemoryServer(new byte[contents.length], 64);
        writeTo(server, contents);
        assertThat(server.contents).isEqualTo(contents);
        assertThat(server.stableWrites).hasValue(1);
        assertThat(server.commits).hasValue(0);
    }

    @Test
    void aShortWriteIsWrittenOn() throws Exception {
        byte[] contents = randomBytes(500);
        MemoryServer server = new MemoryServer(new byte[contents.length], 5);
        writeTo(server, contents);
        assertThat(server.contents).isEqualTo(contents);
    }

    @Test
    void aWriteVerifierThatHasChangedMakesAllOfTheFileBeSentAgain() throws Exception {
        byte[] contents = randomBytes(1000);
        MemoryServer server = new MemoryServer(new byte[contents.length], 64) {
            @Override
            public Commit3Res commit(Commit3Args args, ServerCall call) {
                if (commits.get() == 0) {
                    // A restart: what was not committed is gone.
                    Arrays.fill(this.contents, (byte) 0);
                    boot.incrementAndGet();
                }
                return super.commit(args, call);
            }
        };
        writeTo(server, contents);
        assertThat(server.contents).isEqualTo(contents);
        assertThat(server.commits).hasValue(2);
    }

    @Test
    void aServerThatRestartsForeverIsGivenUp() {
        MemoryServer server = new MemoryServer(new byte[1000], 64) {
            @Override
            public Commit3Res commit(Commit3Args args, ServerCall call) {
                boot.incrementAndGet();
                return super.commit(args, call);
            }
        };
        assertThatThrownBy(() -> writeTo(server, randomBytes(1000)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("restarts again and again");
    }

    private byte[] readFrom(MemoryServer server, long expectedSize) throws Exception {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try (ServedStub stub = new ServedStub(server);
                NfsMount mount = stub.mount()) {
            long length = mount.reader().read(FILE, expectedSize, (bytes, offset) -> {
                assertThat(offset).isEqualTo(read.size());
                byte[] part = new byte[bytes.remaining()];
                bytes.get(part);
                read.writeBytes(part);
            });
            assertThat(length).isEqualTo(read.size());
        }
        return read.toByteArray();
    }

    private void writeTo(MemoryServer server, byte[] contents) throws Exception {
        Path source = Files.write(directory.resolve("source"), contents);
        AtomicLong told = new AtomicLong();
        try (ServedStub stub = new ServedStub(server);
                NfsMount mount = stub.mount();
                FileChannel channel = FileChannel.open(source)) {
            mount.writer().write(channel, FILE, told::addAndGet);
        }
        assertThat(told.get()).isGreaterThanOrEqualTo(contents.length);
    }

    private static byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
