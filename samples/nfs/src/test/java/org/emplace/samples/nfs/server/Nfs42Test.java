// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.emplace.samples.nfs.protocol.v4.Bitmap4;
import org.emplace.samples.nfs.protocol.v4.Component4;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.Copy4Args;
import org.emplace.samples.nfs.protocol.v4.Copy4Resok;
import org.emplace.samples.nfs.protocol.v4.CopyRequirements4;
import org.emplace.samples.nfs.protocol.v4.DataContent4;
import org.emplace.samples.nfs.protocol.v4.Netloc4;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundCall;
import org.emplace.samples.nfs.protocol.v4.NfsFh4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.SeekRes4;
import org.emplace.samples.nfs.protocol.v4.StableHow4;
import org.emplace.samples.nfs.protocol.v4.Stateid4;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What minor version 2 adds, by the generated client. */
final class Nfs42Test {
    private static final int BLOCK = 1 << 16;
    private static final int MOST_COPIED = 16 << 20;

    @AutoClose
    private final Served4 served;

    private final Path first;

    Nfs42Test(@TempDir Path temporary) throws IOException {
        served = new Served4(temporary);
        first = served.first;
    }

    private static Copy4Args copy(Stateid4 source, Stateid4 target, long from, long to, long count) {
        return new Copy4Args(source, target, from, to, count, true, false, List.of());
    }

    /** Waits until the next change of the file has a later time than its last one. */
    private void awaitNextMoment(Path file) {
        Path other = first.resolve("clock");
        Awaitility.await()
                .pollInterval(Duration.ofMillis(1))
                .until(() -> changed(Files.write(other, new byte[1])).compareTo(changed(file)) > 0);
    }

    private static FileTime changed(Path file) throws IOException {
        return (FileTime) Files.getAttribute(file, "unix:ctime");
    }

    private NfsFh4 folder(Client4 client) throws IOException, InterruptedException {
        Nfs4CompoundCall call = client.at(first, false);
        var handle = call.getFh();
        call.await();
        return handle.get().object();
    }

    /** A call whose saved and current files are these. */
    private Nfs4CompoundCall between(Client4 client, String source, String target)
            throws IOException, InterruptedException {
        NfsFh4 folder = folder(client);
        Nfs4CompoundCall call = client.call(false);
        call.putFh(folder);
        call.lookup(Component4.of(source));
        call.saveFh();
        call.putFh(folder);
        call.lookup(Component4.of(target));
        return call;
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aCopyIsMadeByTheServer(String transport) throws Exception {
        byte[] content = Served4.bytes(100_001, 1);
        Files.write(first.resolve("source"), content);
        awaitNextMoment(Files.createFile(first.resolve("target")));
        try (Client4 client = served.client(transport, "copy", 2)) {
            NfsFh4 folder = folder(client);
            Nfs4CompoundCall call = client.call(false);
            call.putFh(folder);
            client.open(call, "owner", "source", Constants.OPEN4_SHARE_ACCESS_READ, 0);
            call.saveFh();
            call.putFh(folder);
            client.open(call, "owner", "target", Constants.OPEN4_SHARE_ACCESS_WRITE, 0);
            var before = call.getattr(Bitmap4.of(Constants.FATTR4_CHANGE));
            var copied = call.copy(copy(Client4.CURRENT, Client4.CURRENT, 1, 3, 99_999));
            var committed = call.commit(0, 0);
            var after = call.getattr(Bitmap4.of(Constants.FATTR4_CHANGE));
            assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4_OK);

            Copy4Resok result = copied.get();
            assertThat(result.crRequirements()).isEqualTo(new CopyRequirements4(true, true));
            assertThat(result.crResponse().wrCallbackId()).isEmpty();
            assertThat(result.crResponse().wrCount()).isEqualTo(99_999);
            assertThat(result.crResponse().wrCommitted()).isEqualTo(StableHow4.UNSTABLE4);
            assertThat(result.crResponse().wrWriteverf())
                    .isEqualTo(committed.get().writeverf());
            assertThat(after.get()).isNotEqualTo(before.get());
            byte[] expected = new byte[100_002];
            System.arraycopy(content, 1, expected, 3, 99_999);
            assertThat(Files.readAllBytes(first.resolve("target"))).isEqualTo(expected);
        }
    }

    /** Else one call could keep a thread busy for hours. */
    @Test
    void aLongCopyTakesSeveralCalls() throws Exception {
        try (RandomAccessFile source =
                new RandomAccessFile(first.resolve("source").toFile(), "rw")) {
            source.setLength(MOST_COPIED + 7L);
        }
        Files.createFile(first.resolve("target"));
        try (Client4 client = served.client("tcp", "long", 2)) {
            for (long[] each : new long[][] {{0, MOST_COPIED}, {MOST_COPIED, 7}, {MOST_COPIED + 7, 0}}) {
                Nfs4CompoundCall call = between(client, "source", "target");
                var copied = call.copy(copy(Client4.ANONYMOUS, Client4.ANONYMOUS, each[0], each[0], 0));
                assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
                assertThat(copied.get().crResponse().wrCount()).isEqualTo(each[1]);
            }
            assertThat(first.resolve("target")).hasSize(MOST_COPIED + 7L);

            Nfs4CompoundCall twice = between(client, "source", "target");
            var one = twice.copy(copy(Client4.ANONYMOUS, Client4.ANONYMOUS, 0, 0, 0));
            twice.copy(copy(Client4.ANONYMOUS, Client4.ANONYMOUS, 0, 0, 1));
            assertThat(twice.await().status()).isEqualTo(Nfsstat4.NFS4ERR_DELAY);
            assertThat(one.get().crResponse().wrCount()).isEqualTo(MOST_COPIED);
        }
    }

    @Test
    void aCopyIsOfBytesThatTheFileHasToOtherOnes() throws Exception {
        Files.writeString(first.resolve("file"), "0123456789");
        try (Client4 client = served.client("tcp", "refused", 2)) {
            for (long[] each : new long[][] {{11, 20, 0}, {5, 20, 6}, {0, 5, 6}, {5, 0, 0}, {-1, 0, 1}, {0, 20, -1}}) {
                // Of the ranges, the one from 5 to 10 does not overlap with that from 0 to 5.
                Nfs4CompoundCall call = between(client, "file", "file");
                call.copy(copy(Client4.ANONYMOUS, Client4.ANONYMOUS, each[0], each[1], each[2]));
                assertThat(call.await().status())
                        .as(Arrays.toString(each))
                        .isEqualTo(each[0] == 5 && each[1] == 0 ? Nfsstat4.NFS4_OK : Nfsstat4.NFS4ERR_INVAL);
            }
            assertThat(first.resolve("file")).hasContent("5678956789");

            Nfs4CompoundCall elsewhere = between(client, "file", "file");
            elsewhere.copy(new Copy4Args(
                    Client4.ANONYMOUS,
                    Client4.ANONYMOUS,
                    0,
                    20,
                    1,
                    true,
                    true,
                    List.of(new Netloc4.Nl4Name(XdrOpaque.ofUtf8("server")))));
            assertThat(elsewhere.await().status()).isEqualTo(Nfsstat4.NFS4ERR_NOTSUPP);
        }
    }

    private static Stream<Consumer<Nfs4CompoundCall>> changes() {
        return Stream.of(
                call -> call.allocate(Client4.CURRENT, 0, 10),
                call -> call.deallocate(Client4.CURRENT, 0, 10),
                call -> {
                    call.saveFh();
                    call.copy(copy(Client4.CURRENT, Client4.CURRENT, 0, 10, 3));
                });
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeNeedsAnOpenForWriting(Consumer<Nfs4CompoundCall> change) throws Exception {
        Files.writeString(first.resolve("file"), "content");
        try (Client4 client = served.client("tcp", "reader", 2)) {
            Nfs4CompoundCall call = client.at(first, false);
            client.open(call, "owner", "file", Constants.OPEN4_SHARE_ACCESS_READ, 0);
            change.accept(call);
            assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4ERR_OPENMODE);
            assertThat(first.resolve("file")).hasContent("content");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void spaceIsAllocatedAndFreed(String transport) throws Exception {
        Path file = Files.write(first.resolve("file"), Served4.bytes(3 * BLOCK, 2));
        byte[] expected = Files.readAllBytes(file);
        Arrays.fill(expected, BLOCK, 2 * BLOCK, (byte) 0);
        try (Client4 client = served.client(transport, "space", 2)) {
            Nfs4CompoundCall free = client.at(first, false);
            client.open(free, "owner", "file", Constants.OPEN4_SHARE_ACCESS_BOTH, 0);
            free.deallocate(Client4.CURRENT, BLOCK, BLOCK);
            var hole = free.seek(Client4.CURRENT, 5, DataContent4.NFS4_CONTENT_HOLE);
            var data = free.seek(Client4.CURRENT, BLOCK + 5, DataContent4.NFS4_CONTENT_DATA);
            var end = free.seek(Client4.CURRENT, 2 * BLOCK, DataContent4.NFS4_CONTENT_HOLE);
            assertThat(free.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(hole.get()).isEqualTo(new SeekRes4(false, BLOCK));
            assertThat(data.get()).isEqualTo(new SeekRes4(false, 2 * BLOCK));
            assertThat(end.get()).isEqualTo(new SeekRes4(true, 3 * BLOCK));
            assertThat(Files.readAllBytes(file)).isEqualTo(expected);

            awaitNextMoment(file);
            Nfs4CompoundCall more = client.at(first, false);
            more.lookup(Component4.of("file"));
            var before = more.getattr(Bitmap4.of(Constants.FATTR4_CHANGE));
            more.allocate(Client4.ANONYMOUS, 3 * BLOCK, BLOCK);
            var after = more.getattr(Bitmap4.of(Constants.FATTR4_CHANGE));
            assertThat(more.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(after.get()).isNotEqualTo(before.get());
            assertThat(Files.readAllBytes(file)).isEqualTo(Arrays.copyOf(expected, 4 * BLOCK));

            Nfs4CompoundCall beyond = client.at(first, false);
            beyond.lookup(Component4.of("file"));
            beyond.seek(Client4.ANONYMOUS, 4 * BLOCK, DataContent4.NFS4_CONTENT_DATA);
            assertThat(beyond.await().status()).isEqualTo(Nfsstat4.NFS4ERR_NXIO);
        }
    }

    private static Stream<Consumer<Nfs4CompoundCall>> others() {
        return Stream.of(
                call -> call.readPlus(Client4.ANONYMOUS, 0, 10),
                call -> call.clone_(Client4.ANONYMOUS, Client4.ANONYMOUS, 0, 0, 0),
                call -> call.ioAdvise(Client4.ANONYMOUS, 0, 10, Bitmap4.of(1)),
                call -> call.offloadCancel(Client4.ANONYMOUS),
                call -> call.offloadStatus(Client4.ANONYMOUS),
                call -> call.copyNotify(Client4.ANONYMOUS, new Netloc4.Nl4Name(XdrOpaque.ofUtf8("server"))));
    }

    @ParameterizedTest
    @MethodSource("others")
    void otherOperationsAreNotSupported(Consumer<Nfs4CompoundCall> operation) throws Exception {
        try (Client4 client = served.client("tcp", "others", 2)) {
            Nfs4CompoundCall call = client.at(first, false);
            operation.accept(call);
            assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4ERR_NOTSUPP);
        }
    }

    @ParameterizedTest
    @MethodSource({"changes", "others"})
    void minorVersion1HasNoneOfThem(Consumer<Nfs4CompoundCall> operation) throws Exception {
        Files.writeString(first.resolve("file"), "content");
        try (Client4 client = served.client("tcp", "illegal", 1)) {
            Nfs4CompoundCall call = client.at(first, false);
            client.open(call, "owner", "file", Constants.OPEN4_SHARE_ACCESS_BOTH, 0);
            operation.accept(call);
            call.getFh();
            assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4ERR_OP_ILLEGAL);
            assertThat(first.resolve("file")).hasContent("content");
        }
    }
}
