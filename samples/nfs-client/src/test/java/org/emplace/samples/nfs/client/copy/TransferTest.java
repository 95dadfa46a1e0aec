// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.samples.nfs.client.MemoryServer.randomBytes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.client.MemoryServer;
import org.emplace.samples.nfs.client.OneDirectoryServer;
import org.emplace.samples.nfs.client.ServedStub;
import org.emplace.samples.nfs.client.copy.FileCopy.CountedChannel;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Create3Resfail;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Lookup3Resok;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transfers of file contents, with servers that answer single READs and WRITEs in unusual ways. */
class TransferTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void aFileOfManyReadsArrivesInOrder() throws Exception {
        byte[] contents = randomBytes(OneDirectoryServer.TRANSFER * 100 + 7);
        assertThat(readFrom(new MemoryServer(contents, 64))).isEqualTo(contents);
    }

    @Test
    void aShortReadIsContinued() throws Exception {
        byte[] contents = randomBytes(500);
        assertThat(readFrom(new MemoryServer(contents, 5))).isEqualTo(contents);
    }

    @Test
    void aFileThatHasGrownIsReadToItsEnd() throws Exception {
        byte[] contents = randomBytes(1000);
        assertThat(readFrom(withSize(10, contents))).isEqualTo(contents);
    }

    @Test
    void aFileThatHasShrunkIsReadToItsEnd() throws Exception {
        byte[] contents = randomBytes(100);
        assertThat(readFrom(withSize(100_000, contents))).isEqualTo(contents);
    }

    @Test
    void noMoreMemoryIsOfferedForAReadThanTheFileNeeds() throws Exception {
        List<Long> asked = new CopyOnWriteArrayList<>();
        MemoryServer server = new MemoryServer(randomBytes(70_000), 1 << 20) {
            @Override
            protected int transfer() {
                return 1 << 16;
            }

            @Override
            public Read3Res read(Read3Args args, ServerCall call) {
                asked.add(args.count());
                return super.read(args, call);
            }
        };
        readFrom(server);
        assertThat(asked).containsExactlyInAnyOrder(65_536L, 4608L);
    }

    /** Somebody replaces the file of a name, by another one, while it is read, some times. */
    private static final class ReplacingServer extends MemoryServer {
        private final int replacements;
        private int generation;
        private int reads;

        ReplacingServer(int replacements) {
            super(new byte[1000], 64);
            this.replacements = replacements;
        }

        @Override
        public synchronized Lookup3Res lookup(Lookup3Args args, ServerCall call) {
            NfsFh3 file = handle("file " + generation);
            return new Lookup3Res.Nfs3Ok(new Lookup3Resok(file, Optional.of(attributesOf(file)), Optional.empty()));
        }

        @Override
        public synchronized Read3Res read(Read3Args args, ServerCall call) {
            if (!args.file().equals(handle("file " + generation))) {
                return new Read3Res.Default(Nfsstat3.NFS3ERR_STALE, new Read3Resfail(Optional.empty()));
            }
            if (++reads % 10 == 0 && generation < replacements) {
                generation++;
                Arrays.fill(contents, (byte) generation);
            }
            return super.read(args, call);
        }
    }

    @Test
    void aCopyOfAFileThatIsReplacedMeanwhileHasTheBytesOfOneFile() throws Exception {
        Path copy = directory.resolve("copy");
        ReplacingServer server = new ReplacingServer(3);
        CopyRecord record = new CopyRecord();
        try (ServedStub stub = new ServedStub(server);
                TreeCopy copying = new TreeCopy(record, Set.of())) {
            copying.copy(stub.path("/file"), copy);
        }
        assertThat(record.failures).isEmpty();
        assertThat(copy).hasBinaryContent(server.contents);
    }

    /** It ends, though it might succeed some day. */
    @Test
    void aCopyOfAFileThatIsReplacedAgainAndAgainFails() throws Exception {
        CopyRecord record = new CopyRecord();
        try (ServedStub stub = new ServedStub(new ReplacingServer(Integer.MAX_VALUE));
                TreeCopy copying = new TreeCopy(record, Set.of())) {
            copying.copy(stub.path("/file"), directory.resolve("copy"));
        }
        assertThat(record.failures).singleElement().asString().contains("Stale file handle");
        assertThat(directory.resolve("copy")).doesNotExist();
    }

    @Test
    void aFileOfManyWritesIsWrittenUnstablyAndCommittedOnce() throws Exception {
        byte[] contents = randomBytes(OneDirectoryServer.TRANSFER * 100 + 7);
        MemoryServer server = new MemoryServer(new byte[contents.length], 64);
        writeTo(server, contents);
        assertThat(server.stableWrites).hasValue(0);
        assertThat(server.commits).hasValue(1);
    }

    @Test
    void aFileOfOneWriteIsWrittenStably() throws Exception {
        byte[] contents = randomBytes(20);
        MemoryServer server = new MemoryServer(new byte[contents.length], 64);
        writeTo(server, contents);
        assertThat(server.stableWrites).hasValue(1);
        assertThat(server.commits).hasValue(0);
    }

    @Test
    void aShortWriteIsContinued() throws Exception {
        byte[] contents = randomBytes(500);
        MemoryServer server = new MemoryServer(new byte[contents.length], 5);
        writeTo(server, contents);
    }

    @Test
    void aWriteVerifierThatHasChangedMakesAllOfTheFileBeSentAgain() throws Exception {
        byte[] contents = randomBytes(1000);
        MemoryServer server = new MemoryServer(new byte[contents.length], 64) {
            @Override
            public Commit3Res commit(Commit3Args args, ServerCall call) {
                if (commits.get() == 0) {
                    // A restart: uncommitted data is lost.
                    Arrays.fill(this.contents, (byte) 0);
                    boot.incrementAndGet();
                }
                return super.commit(args, call);
            }
        };
        writeTo(server, contents);
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
                .hasMessageContaining("restarts repeatedly");
    }

    /** Otherwise the copy would have holes where the first pass wrote, and what it wrote was lost. */
    @Test
    void aSourceThatCannotBeSentAgainAsItWasIsAFailure() throws Exception {
        Path source = Files.write(directory.resolve("source"), randomBytes(1000));
        MemoryServer server = new MemoryServer(new byte[1000], 64) {
            @Override
            public Commit3Res commit(Commit3Args args, ServerCall call) {
                if (commits.get() == 0) {
                    boot.incrementAndGet();
                    assertThatCode(() -> Files.write(source, randomBytes(500))).doesNotThrowAnyException();
                }
                return super.commit(args, call);
            }
        };
        try (ServedStub stub = new ServedStub(server);
                FileChannel channel = FileChannel.open(source);
                FileChannel file = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            assertThatThrownBy(() -> file.transferFrom(channel, 0, Long.MAX_VALUE))
                    .hasMessage("the server has lost data, which the source no longer has");
        }
    }

    /** Otherwise the file would be missing, and the copy would seem to be complete. */
    @Test
    void anErrorInTheWorkOnAFileEndsTheCopy() throws Exception {
        Path source = Files.write(directory.resolve("source"), randomBytes(100));
        CopyRecord failing = new CopyRecord() {
            @Override
            public void moved(long bytes) {
                throw new LinkageError("thrown by a worker");
            }
        };
        try (ServedStub stub = new ServedStub(new CreatedBefore(100));
                TreeCopy copy = new TreeCopy(failing, Set.of())) {
            assertThatThrownBy(() -> copy.copy(source, stub.path("/copy")))
                    .isInstanceOf(LinkageError.class)
                    .hasMessage("thrown by a worker");
        }
    }

    /** Answers like a server that has restarted and does not remember that it has already made the change. */
    @Test
    void resentCallsThatHadSucceededAreNotFailures() throws Exception {
        MemoryServer server = new CreatedBefore(1000) {
            @Override
            public Rename3Res rename(Rename3Args args, ServerCall call) {
                return new Rename3Res.Default(
                        Nfsstat3.NFS3ERR_NOENT, new Rename3Resfail(MemoryServer.NO_WCC, MemoryServer.NO_WCC));
            }
        };
        Path source = Files.write(directory.resolve("source"), randomBytes(1000));
        Files.setLastModifiedTime(source, FileTime.from(1_000_000_000, TimeUnit.SECONDS));
        CopyRecord record = new CopyRecord();
        try (ServedStub stub = new ServedStub(server);
                TreeCopy copy = new TreeCopy(record, Set.of())) {
            copy.copy(source, stub.path("/copy"));
        }
        assertThat(record.failures).isEmpty();
        assertThat(server.contents).isEqualTo(randomBytes(1000));
    }

    @Test
    void aWriteThatFailsOnTheWayIsReportedForTheServersFile() throws Exception {
        MemoryServer server = new CreatedBefore(0) {
            @Override
            public Write3Res write(Write3Args args, ServerCall call) {
                throw new IllegalStateException("answered with SYSTEM_ERR");
            }
        };
        Path source = Files.write(directory.resolve("source"), randomBytes(100));
        CopyRecord record = new CopyRecord();
        try (ServedStub stub = new ServedStub(server);
                TreeCopy copy = new TreeCopy(record, Set.of())) {
            copy.copy(source, stub.path("/copy"));
            assertThat(record.failures).singleElement().asString().startsWith(stub.place() + "/copy: ");
        }
    }

    @Test
    void aPartOfAFileIsReadAndWrittenWhereItBelongs() throws Exception {
        byte[] contents = randomBytes(1000);
        MemoryServer server = new MemoryServer(contents.clone(), 64);
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        Path part = Files.write(directory.resolve("part"), new byte[300]);
        try (ServedStub stub = new ServedStub(server);
                FileChannel local = FileChannel.open(part);
                FileChannel file =
                        FileChannel.open(stub.path("/file"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            assertThat(file.transferTo(100, 500, Channels.newChannel(read))).isEqualTo(500);
            assertThat(file.transferFrom(local.position(50), 700, 200)).isEqualTo(200);
            assertThat(local.position()).isEqualTo(250);
            assertThat(file.transferFrom(local, 1001, 1)).isZero();
        }
        assertThat(read.toByteArray()).isEqualTo(Arrays.copyOfRange(contents, 100, 600));
        Arrays.fill(contents, 700, 900, (byte) 0);
        assertThat(server.contents).isEqualTo(contents);
    }

    private static byte[] readFrom(MemoryServer server) throws Exception {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try (ServedStub stub = new ServedStub(server);
                FileChannel file = FileChannel.open(stub.path("/file"))) {
            assertThat(file.transferTo(0, Long.MAX_VALUE, Channels.newChannel(read)))
                    .isEqualTo(read.size());
        }
        return read.toByteArray();
    }

    /** A server that reports another size than the file has. */
    private static MemoryServer withSize(long size, byte[] contents) {
        return new MemoryServer(contents, 64) {
            @Override
            protected Fattr3 attributesOf(NfsFh3 file) {
                return file.equals(ROOT) ? super.attributesOf(file) : attributes(Ftype3.NF3REG, size);
            }
        };
    }

    private void writeTo(MemoryServer server, byte[] contents) throws Exception {
        Path source = Files.write(directory.resolve("source"), contents);
        CopyRecord record = new CopyRecord();
        try (ServedStub stub = new ServedStub(server);
                FileChannel channel = FileChannel.open(source);
                FileChannel file = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE)) {
            assertThat(file.transferFrom(new CountedChannel(channel, record), 0, Long.MAX_VALUE))
                    .isEqualTo(contents.length);
        }
        assertThat(record.moved.get()).isGreaterThanOrEqualTo(contents.length);
        assertThat(server.contents).isEqualTo(contents);
    }

    /** A server on which the file already exists, as after a CREATE that is sent again. */
    private static class CreatedBefore extends MemoryServer {
        CreatedBefore(int size) {
            super(new byte[size], 64);
        }

        @Override
        public Create3Res create(Create3Args args, ServerCall call) {
            return new Create3Res.Default(Nfsstat3.NFS3ERR_EXIST, new Create3Resfail(NO_WCC));
        }

        @Override
        public Remove3Res remove(Remove3Args args, ServerCall call) {
            return new Remove3Res.Nfs3Ok(new Remove3Resok(NO_WCC));
        }
    }
}
