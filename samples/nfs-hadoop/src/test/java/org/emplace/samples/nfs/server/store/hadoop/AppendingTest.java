// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.awaitility.Awaitility;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.TestedStore;
import org.emplace.samples.nfs.server.store.hadoop.HdfsCluster.HdfsFixture;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Writes to files that can only grow, and their visibility to other clients of HDFS. */
@ExtendWith(HdfsCluster.Shared.class)
class AppendingTest {
    private static final int MIB = 1 << 20;

    private final HdfsCluster cluster;
    private final URI directory;

    @TempDir
    Path temporary;

    AppendingTest(HdfsCluster cluster) throws IOException {
        this.cluster = cluster;
        this.directory = cluster.directory();
    }

    private TestedStore open(HadoopOptions options) throws IOException {
        return new TestedStore(new HdfsFixture(cluster, directory, Set.of(), options));
    }

    private HadoopOptions options() {
        return HadoopOptions.DEFAULT.withSpill(256L << 20, temporary);
    }

    private static byte[] random(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(new org.apache.hadoop.fs.Path(directory), name);
    }

    /** The content of the file for all other clients. */
    private byte[] stored(String name) throws IOException {
        try (FSDataInputStream stream = cluster.fileSystem().open(path(name))) {
            return stream.readAllBytes();
        }
    }

    private static void commit(TestedStore tested, FileId file) throws IOException {
        tested.store().commit(tested.caller(), file);
    }

    @Test
    void sixteenWritersInRandomOrderLeaveTheRightBytes() throws Exception {
        byte[] content = random(64 * MIB, 1);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            order.add(i);
        }
        Collections.shuffle(order, new Random(2));
        ExecutorService writers = Executors.newFixedThreadPool(16);
        try (TestedStore tested = open(options())) {
            FileId file = tested.create(tested.root(), "file");
            List<Future<?>> running = new ArrayList<>();
            for (int piece : order) {
                byte[] bytes = Arrays.copyOfRange(content, piece * MIB, (piece + 1) * MIB);
                running.add(writers.submit(() -> tested.write(file, (long) piece * MIB, bytes)));
            }
            for (Future<?> each : running) {
                each.get();
            }
            assertThat(tested.attributes(file).size()).isEqualTo(content.length);
            commit(tested, file);
            assertThat(Arrays.equals(stored("file"), content)).isTrue();
        } finally {
            writers.shutdownNow();
        }
    }

    @Test
    void dataBeyondTheSpillRoomMustBeSentAgain() throws Exception {
        HadoopOptions options = options().withSpill(2 * MIB - 1, temporary).withTurn(Duration.ZERO);
        try (TestedStore tested = open(options)) {
            FileId file = tested.create(tested.root(), "file");
            byte[] content = random(3 * MIB, 3);
            byte[] last = Arrays.copyOfRange(content, 2 * MIB, 3 * MIB);
            byte[] middle = Arrays.copyOfRange(content, MIB, 2 * MIB);
            tested.write(file, 2 * MIB, last);
            assertFailure(() -> tested.write(file, MIB, middle), Failure.JUKEBOX);
            assertThat(tested.read(file, MIB, MIB)).containsOnly(0);
            tested.write(file, 0, Arrays.copyOfRange(content, 0, MIB));
            tested.write(file, MIB, middle);
            commit(tested, file);
            assertThat(Arrays.equals(stored("file"), content)).isTrue();
            tested.write(file, 4 * MIB, last);
            assertThat(tested.attributes(file).size()).isEqualTo(5 * MIB);
        }
    }

    @Test
    void aGapIsCommittedWhenNobodyFillsIt() throws Exception {
        HadoopOptions options = options().withTurn(Duration.ZERO).withHole(Duration.ofSeconds(2));
        try (TestedStore tested = open(options)) {
            FileId file = tested.create(tested.root(), "file");
            tested.write(file, 0, "begin");
            tested.write(file, 10, "end");
            assertFailure(() -> commit(tested, file), Failure.JUKEBOX);
            tested.write(file, 7, "xyz");
            assertFailure(
                    () -> tested.store()
                            .write(
                                    tested.caller(),
                                    file,
                                    10,
                                    Payload.of(ByteBuffer.wrap(new byte[] {'e', 'n', 'd'})),
                                    Stability.FILE_SYNC),
                    Failure.JUKEBOX);
            Awaitility.await().ignoreExceptionsInstanceOf(StoreException.class).until(() -> {
                commit(tested, file);
                return true;
            });
            assertThat(stored("file")).asString().isEqualTo("begin\0\0xyzend");
            assertFailure(() -> tested.write(file, 5, "ab"), Failure.NOTSUPP);
            tested.write(file, 5, "\0\0");
            assertThat(tested.read(file)).isEqualTo("begin\0\0xyzend");
        }
    }

    @Test
    void aStableWriteThatIsSentAgainDoesNotKeepAGapOpen() throws Exception {
        Duration hole = Duration.ofMillis(500);
        HadoopOptions options = options().withTurn(Duration.ZERO).withHole(hole);
        try (TestedStore tested = open(options)) {
            FileId file = tested.create(tested.root(), "file");
            Awaitility.await()
                    .pollInterval(hole.dividedBy(5))
                    .ignoreExceptionsInstanceOf(StoreException.class)
                    .until(() -> tested.store()
                                    .write(
                                            tested.caller(),
                                            file,
                                            3,
                                            Payload.of(ByteBuffer.wrap(new byte[] {'e', 'n', 'd'})),
                                            Stability.FILE_SYNC)
                                    .count()
                            == 3);
            assertThat(stored("file")).asString().isEqualTo("\0\0\0end");
        }
    }

    @Test
    void clientsAreNotifiedOfABrokenStream() throws Exception {
        try (TestedStore tested = open(options())) {
            FileId file = tested.create(tested.root(), "file");
            long verifier = tested.write(file, 0, "0123456789").verifier();
            commit(tested, file);
            assertThat(tested.write(file, 10, "unstable").verifier()).isEqualTo(verifier);
            DistributedFileSystem other = cluster.fileSystem();
            Awaitility.await().until(() -> other.recoverLease(path("file")));
            assertThatThrownBy(() -> commit(tested, file)).isInstanceOf(IOException.class);
            long after = Awaitility.await()
                    .ignoreExceptionsInstanceOf(StoreException.class)
                    .until(() -> tested.write(file, 10, "unstable").verifier(), each -> true);
            assertThat(after).isNotEqualTo(verifier);
            commit(tested, file);
            assertThat(stored("file")).asString().isEqualTo("0123456789unstable");
        }
    }

    @Test
    void committedDataIsVisibleToOthers() throws Exception {
        try (TestedStore tested = open(options())) {
            FileId file = tested.create(tested.root(), "file", "hello");
            commit(tested, file);
            assertThat(stored("file")).asString().isEqualTo("hello");
            assertThat(cluster.fileSystem().getFileStatus(path("file")).getLen())
                    .isEqualTo(5);
        }
    }

    @Test
    void othersMayWriteWhenTheFileHasNotBeenUsedForAWhile() throws Exception {
        try (TestedStore tested = open(options().withIdle(Duration.ofMillis(200)))) {
            FileId file = tested.create(tested.root(), "file", "hello");
            Awaitility.await().ignoreExceptions().until(() -> {
                try (FSDataOutputStream other = cluster.fileSystem().append(path("file"))) {
                    other.writeBytes(" world");
                }
                return true;
            });
            assertThat(tested.read(file)).isEqualTo("hello world");
            tested.write(file, 11, "!");
            assertThat(tested.read(file)).isEqualTo("hello world!");
        }
    }

    @Test
    void theLeaseOfAnotherProgramIsNotRecovered() throws Exception {
        try (TestedStore tested = open(options())) {
            try (FSDataOutputStream other = cluster.fileSystem().create(path("file"))) {
                other.writeBytes("mine");
                other.hflush();
                FileId file = tested.lookup("file");
                assertFailure(() -> tested.write(file, 4, "yours"), Failure.JUKEBOX);
                other.writeBytes(" alone");
                other.hsync();
            }
            assertThat(stored("file")).asString().isEqualTo("mine alone");
        }
    }

    @Test
    void theTimeOfTheLastWriteStaysWhenTheFileIsClosed() throws Exception {
        try (TestedStore tested = open(options())) {
            FileId file = tested.create(tested.root(), "file", "hello");
            FileAttributes written = tested.attributes(file);
            tested.restart();
            assertThat(tested.attributes(file)).isEqualTo(written);
        }
    }
}
