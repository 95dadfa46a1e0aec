// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Commit3Resok;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resok;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.WccData;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.protocol.Write3Resok;
import org.emplace.samples.nfs.protocol.Writeverf3;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How file contents travel, whatever a server makes of the single READ or WRITE. */
class TransferTest {
    private static final NfsFh3 FILE = OneDirectoryServer.handle("file");
    private static final WccData NO_WCC = new WccData(Optional.empty(), Optional.empty());

    @TempDir
    private Path directory = Path.of("");

    @Test
    void aFileOfManyReadsArrivesInOrder() throws Exception {
        byte[] contents = randomBytes(OneDirectoryServer.TRANSFER * 100 + 7);
        assertThat(readFrom(new Memory(contents, 64), contents.length)).isEqualTo(contents);
    }

    @Test
    void aShortReadIsReadOn() throws Exception {
        byte[] contents = randomBytes(500);
        assertThat(readFrom(new Memory(contents, 5), contents.length)).isEqualTo(contents);
    }

    @Test
    void aFileThatHasGrownIsReadToItsEnd() throws Exception {
        byte[] contents = randomBytes(1000);
        assertThat(readFrom(new Memory(contents, 64), 10)).isEqualTo(contents);
    }

    @Test
    void aFileThatHasShrunkIsReadToItsEnd() throws Exception {
        byte[] contents = randomBytes(100);
        assertThat(readFrom(new Memory(contents, 64), 100_000)).isEqualTo(contents);
    }

    @Test
    void noMoreMemoryIsOfferedForAReadThanTheFileNeeds() throws Exception {
        List<Long> asked = new CopyOnWriteArrayList<>();
        Memory server = new Memory(randomBytes(70_000), 1 << 20) {
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
        Memory server = new Memory(new byte[contents.length], 64);
        writeTo(server, contents);
        assertThat(server.contents).isEqualTo(contents);
        assertThat(server.stableWrites).hasValue(0);
        assertThat(server.commits).hasValue(1);
    }

    @Test
    void aFileOfOneWriteIsWrittenStably() throws Exception {
        byte[] contents = randomBytes(20);
        Memory server = new Memory(new byte[contents.length], 64);
        writeTo(server, contents);
        assertThat(server.contents).isEqualTo(contents);
        assertThat(server.stableWrites).hasValue(1);
        assertThat(server.commits).hasValue(0);
    }

    @Test
    void aShortWriteIsWrittenOn() throws Exception {
        byte[] contents = randomBytes(500);
        Memory server = new Memory(new byte[contents.length], 5);
        writeTo(server, contents);
        assertThat(server.contents).isEqualTo(contents);
    }

    @Test
    void aWriteVerifierThatHasChangedMakesAllOfTheFileBeSentAgain() throws Exception {
        byte[] contents = randomBytes(1000);
        Memory server = new Memory(new byte[contents.length], 64) {
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
        Memory server = new Memory(new byte[1000], 64) {
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

    private byte[] readFrom(Memory server, long expectedSize) throws Exception {
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

    private void writeTo(Memory server, byte[] contents) throws Exception {
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

    /** Keeps one file in memory, and moves no more than so many bytes at a time. */
    private static class Memory extends OneDirectoryServer {
        final byte[] contents;
        final AtomicInteger boot = new AtomicInteger();
        final AtomicInteger commits = new AtomicInteger();
        final AtomicInteger stableWrites = new AtomicInteger();
        private final int most;

        Memory(byte[] contents, int most) {
            this.contents = contents;
            this.most = most;
        }

        @Override
        public Read3Res read(Read3Args args, ServerCall call) {
            int from = (int) Math.min(args.offset(), contents.length);
            int length = Math.min(most, (int) Math.min(args.count(), contents.length - from));
            ByteBuffer bytes = ByteBuffer.wrap(contents, from, length);
            boolean eof = from + length == contents.length;
            return new Read3Res.Nfs3Ok(new Read3Resok(Optional.empty(), length, eof, Payload.of(bytes)));
        }

        @Override
        public Write3Res write(Write3Args args, ServerCall call) throws IOException {
            int length = (int) Math.min(most, args.data().length());
            args.data().buffer().get(contents, (int) args.offset(), length);
            if (args.stable() != StableHow.UNSTABLE) {
                stableWrites.incrementAndGet();
            }
            return new Write3Res.Nfs3Ok(new Write3Resok(NO_WCC, length, args.stable(), verifier()));
        }

        @Override
        public Commit3Res commit(Commit3Args args, ServerCall call) {
            commits.incrementAndGet();
            return new Commit3Res.Nfs3Ok(new Commit3Resok(NO_WCC, verifier()));
        }

        private Writeverf3 verifier() {
            return Writeverf3.of(new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) boot.get()});
        }
    }
}
