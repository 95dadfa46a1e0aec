// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.TestedStore;
import org.emplace.samples.nfs.server.store.hadoop.HdfsCluster.HdfsFixture;
import org.emplace.xdr.Payload;

/**
 * Measures the store beside {@code FileSystem.create} and {@code open}, by turns in one process: {@code HdfsThroughput [ROUNDS [MIB]]}. Eight threads
 * call the store with calls of 1 MiB, as the server's threads do, and commit the data. Prints MiB/s of each round, and the ratios. The rounds of one
 * run differ by more than the medians of runs with a change and without it: compare several runs of many rounds.
 */
final class HdfsThroughput {
    private static final int MIB = 1 << 20;
    private static final int THREADS = 8;

    /** Reused, like the server's buffers. */
    private static final ThreadLocal<ByteBuffer> PIECE = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(MIB));

    private final HdfsCluster cluster;
    private final TestedStore tested;

    /** Found once, as by a server: the test's store asks the name node for them. */
    private final Caller caller;

    private final FileId root;

    private final Path directory;
    private final byte[] content;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    private HdfsThroughput(HdfsCluster cluster, TestedStore tested, Path directory, int mebibytes) throws IOException {
        this.cluster = cluster;
        this.tested = tested;
        this.caller = tested.caller();
        this.root = tested.root();
        this.directory = directory;
        this.content = new byte[mebibytes * MIB];
        new Random(5).nextBytes(content);
    }

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 15;
        int mebibytes = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 512;
        HdfsCluster cluster = new HdfsCluster("128m");
        java.net.URI directory = cluster.directory();
        HadoopOptions options = HadoopOptions.DEFAULT.withSpill(1L << 30, Files.createTempDirectory("spill"));
        try (cluster;
                TestedStore tested = new TestedStore(new HdfsFixture(cluster, directory, Set.of(), options))) {
            new HdfsThroughput(cluster, tested, new Path(directory), mebibytes).run(rounds);
        }
    }

    /** Transfers the content. */
    private interface Work {
        void run() throws Exception;
    }

    private void run(int rounds) throws Exception {
        List<Double> writing = new ArrayList<>();
        List<Double> reading = new ArrayList<>();
        for (int round = -1; round < rounds; round++) {
            double created = rate(this::create);
            double written = rate(this::write);
            double opened = rate(this::open);
            double read = rate(this::read);
            System.out.printf(
                    "%s: create %.0f, store writes %.0f; open %.0f, store reads %.0f MiB/s%n",
                    round < 0 ? "warm-up" : "round " + round, created, written, opened, read);
            if (round >= 0) {
                writing.add(written / created);
                reading.add(read / opened);
            }
            cluster.fileSystem().delete(new Path(directory, "plain"), false);
            tested.remove(root, "file");
        }
        threads.shutdown();
        print("writing", writing);
        print("reading", reading);
    }

    private static void print(String what, List<Double> ratios) {
        double[] sorted =
                ratios.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        System.out.printf(
                "%s, store to FileSystem: min %.2f, median %.2f, max %.2f of %d rounds%n",
                what, sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1], sorted.length);
    }

    private double rate(Work work) throws Exception {
        long begin = System.nanoTime();
        work.run();
        return content.length / (double) MIB * 1e9 / (System.nanoTime() - begin);
    }

    private void create() throws IOException {
        try (FSDataOutputStream stream = cluster.fileSystem().create(new Path(directory, "plain"))) {
            for (int offset = 0; offset < content.length; offset += MIB) {
                stream.write(content, offset, MIB);
            }
        }
    }

    private void open() throws IOException {
        byte[] piece = new byte[MIB];
        try (FSDataInputStream stream = cluster.fileSystem().open(new Path(directory, "plain"))) {
            for (int offset = 0; offset < content.length; offset += MIB) {
                stream.readFully(piece);
            }
        }
    }

    /** A call for a piece of the file. */
    private interface Call {
        void run(int offset) throws IOException;
    }

    private void everywhere(Call call) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        for (int offset = 0; offset < content.length; offset += MIB) {
            int each = offset;
            running.add(threads.submit(() -> {
                call.run(each);
                return null;
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
    }

    private void write() throws Exception {
        FileId file = tested.create(root, "file");
        everywhere(offset -> tested.store()
                .write(caller, file, offset, Payload.of(ByteBuffer.wrap(content, offset, MIB)), Stability.UNSTABLE));
        tested.store().commit(caller, file);
    }

    private void read() throws Exception {
        FileId file = tested.store().lookup(caller, root, FileName.of("file")).id();
        everywhere(offset -> {
            ByteBuffer piece = PIECE.get().clear();
            try (ReadableFile reading = tested.store().read(caller, file)) {
                if (reading.read(piece, offset) != MIB) {
                    throw new IOException("a short read at " + offset);
                }
            }
        });
    }
}
