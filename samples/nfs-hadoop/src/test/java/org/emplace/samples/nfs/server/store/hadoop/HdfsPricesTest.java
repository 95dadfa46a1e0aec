// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.awaitility.Awaitility;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.TestedStore;
import org.emplace.samples.nfs.server.store.hadoop.HdfsCluster.HdfsFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What one call costs the name node, the data nodes and other callers. */
@Timeout(120)
@ExtendWith(HdfsCluster.Shared.class)
class HdfsPricesTest {
    private static final int MIB = 1 << 20;

    /** The data node's heartbeats and reports while a call runs. */
    private static final long OTHERS = 8;

    private final HdfsCluster cluster;
    private final URI directory;

    @TempDir
    Path temporary;

    private TestedStore tested;

    HdfsPricesTest(HdfsCluster cluster) throws IOException {
        this.cluster = cluster;
        this.directory = cluster.directory();
    }

    @BeforeEach
    void open() throws IOException {
        HadoopOptions options = HadoopOptions.DEFAULT
                .withTurn(Duration.ZERO)
                .withHole(Duration.ZERO)
                .withSpill(256L * MIB, temporary);
        tested = new TestedStore(new HdfsFixture(cluster, directory, Set.of(), options));
    }

    @AfterEach
    void close() throws IOException {
        tested.close();
    }

    /** The requests to the name node that an operation makes. */
    private long requests(FileOperation<?> operation) throws IOException {
        long before = processed();
        operation.run();
        return processed() - before;
    }

    private long processed() {
        return ((NameNodeRpcServer) cluster.nodes().getNameNode().getRpcServer())
                .getClientRpcServer()
                .getRpcMetrics()
                .getProcessingSampleCount();
    }

    private List<FileId> nested(int depth) throws IOException {
        List<FileId> directories = new ArrayList<>(List.of(tested.root()));
        for (int i = 0; i < depth; i++) {
            directories.add(tested.makeDirectory(directories.get(i), "d"));
        }
        return directories;
    }

    @Test
    void aListingCostsTheSameAtAnyDepth() throws IOException {
        List<FileId> directories = nested(200);
        long shallow = requests(() -> listed(directories.get(1)));
        assertThat(requests(() -> listed(directories.get(200)))).isLessThanOrEqualTo(shallow + OTHERS);
        assertThat(listed(directories.get(200)).get(1).number())
                .isEqualTo(tested.attributes(directories.get(199)).number());
    }

    private List<DirectoryEntry> listed(FileId id) throws IOException {
        List<DirectoryEntry> entries = new ArrayList<>();
        tested.store().list(tested.caller(), id, 0, 0, true, entries::add);
        return entries;
    }

    @Test
    void theParentIsFoundUpToADepthAndTheSearchEnds() throws IOException {
        List<FileId> directories = nested(200);
        assertThat(tested.lookup(directories.get(60), "..")).isEqualTo(directories.get(59));
        assertThat(requests(() -> {
                    assertFailure(() -> tested.lookup(directories.get(200), ".."), Failure.STALE);
                    return true;
                }))
                .isLessThanOrEqualTo(70 + OTHERS);
    }

    @Test
    void movingADirectoryCostsTheSameAtAnyDepth() throws IOException {
        List<FileId> directories = nested(200);
        tested.makeDirectory(tested.root(), "moved");
        long shallow = requests(() -> tested.rename(tested.root(), "moved", directories.get(1), "moved"));
        assertThat(requests(() -> tested.rename(directories.get(1), "moved", directories.get(200), "moved")))
                .isLessThanOrEqualTo(shallow + OTHERS);
        assertFailure(() -> tested.rename(tested.root(), "d", directories.get(200), "d"), Failure.INVAL);
    }

    @Test
    void aCallWritesFewZeros() throws IOException {
        FileId file = tested.create(tested.root(), "file", "text");
        int calls = 1;
        while (!succeeds(() -> tested.set(file, TestedStore.size(40L * MIB)))) {
            assertThat(tested.attributes(file).size()).isLessThanOrEqualTo(calls * 16L * MIB + 4);
            calls++;
        }
        assertThat(calls).isEqualTo(3);
        assertThat(tested.attributes(file).size()).isEqualTo(40L * MIB);
        tested.write(file, 60L * MIB, "end");
        calls = 1;
        while (!succeeds(() -> tested.store().commit(tested.caller(), file))) {
            calls++;
        }
        assertThat(calls).isEqualTo(2);
        assertThat(new String(tested.read(file, 60L * MIB - 1, 10), java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("\0end");
        assertFailure(
                () -> tested.create(tested.root(), "new", new Creation.Guarded(TestedStore.size(40L * MIB))),
                Failure.FBIG);
        assertFailure(() -> tested.lookup("new"), Failure.NOENT);
    }

    /** Whether an operation is done, instead of having to be repeated. */
    private static boolean succeeds(FileOperation<?> operation) throws IOException {
        try {
            operation.run();
            return true;
        } catch (StoreException e) {
            assertThat(e.failure()).isEqualTo(Failure.JUKEBOX);
            return false;
        }
    }

    @Test
    void othersDoNotWaitForTheDataOfAReplacedFile() throws Exception {
        othersDoNotWaitFor(() -> tested.rename(tested.root(), "other", tested.root(), "written"));
    }

    @Test
    void othersDoNotWaitForTheDataOfARemovedFile() throws Exception {
        othersDoNotWaitFor(() -> tested.remove(tested.root(), "written"));
    }

    /** The file's data does not reach the disks until other changes have been made. */
    private void othersDoNotWaitFor(FileOperation<?> change) throws Exception {
        FileId elsewhere = tested.makeDirectory(tested.root(), "elsewhere");
        tested.create(tested.root(), "other");
        FileId written = tested.create(tested.root(), "written", "text");
        CountDownLatch reachesTheDisks = new CountDownLatch(1);
        CountDownLatch waits = new CountDownLatch(1);
        DataNodeFaultInjector former = DataNodeFaultInjector.get();
        DataNodeFaultInjector.set(new DataNodeFaultInjector() {
            @Override
            public void delaySendingAckToUpstream(String upstream) {
                waits.countDown();
                try {
                    reachesTheDisks.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        try {
            FutureTask<Object> changing = new FutureTask<>(change::run);
            new Thread(changing).start();
            waits.await();
            FutureTask<Object> others = new FutureTask<>(() -> {
                tested.makeDirectory(elsewhere, "new");
                tested.rename(elsewhere, "new", elsewhere, "renamed");
                return tested.removeDirectory(elsewhere, "renamed");
            });
            new Thread(others).start();
            others.get(30, TimeUnit.SECONDS);
            assertThat(changing.isDone()).isFalse();
            reachesTheDisks.countDown();
            changing.get();
        } finally {
            reachesTheDisks.countDown();
            DataNodeFaultInjector.set(former);
        }
        Awaitility.await().untilAsserted(() -> assertFailure(() -> tested.attributes(written), Failure.STALE));
    }
}
