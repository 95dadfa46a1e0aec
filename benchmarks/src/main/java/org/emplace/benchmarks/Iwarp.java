// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.benchmarks.Results.Pairing;
import org.emplace.benchmarks.client.IwarpWithoutCrc;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;
import org.emplace.benchmarks.process.JavaPair;
import org.emplace.benchmarks.process.Placement;
import org.emplace.benchmarks.process.Subjects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "iwarp",
        mixinStandardHelpOptions = true,
        description = {
            "Measures NULL, READ and WRITE of NFS version 3 over software iWARP between two JVMs on loopback, with and without CRC32C,"
                    + " beside plain NIO sockets, gRPC, Emplace's TCP transport and another Java NFS client, all in turns, and prints tables"
                    + " in Markdown. The file is in the server's memory. Takes about a quarter of an hour, or with --quick three"
                    + " minutes. Run it on an idle machine."
        })
final class Iwarp implements Callable<Integer> {
    private static final String IWARP_CRC = "iWARP with CRC32C";
    private static final String IWARP = "iWARP without CRC32C";
    private static final String TCP = "TCP transport";
    private static final String RAW_CRC = "plain sockets with CRC32C";
    private static final String RAW = "plain sockets";
    private static final String GRPC = "gRPC-Java";
    private static final String OTHER = "com.emc.ecs:nfs-client over TCP";

    private static final List<Pairing> COMPARISONS = List.of(
            new Pairing(IWARP_CRC, RAW_CRC),
            new Pairing(IWARP, RAW),
            new Pairing(IWARP_CRC, GRPC),
            // Neither of these has a checksum.
            new Pairing(IWARP, GRPC),
            new Pairing(IWARP_CRC, TCP),
            new Pairing(IWARP_CRC, OTHER),
            new Pairing(TCP, RAW),
            new Pairing(TCP, GRPC),
            new Pairing(TCP, OTHER));

    private static final List<String> ALL = List.of(IWARP_CRC, RAW_CRC, IWARP, RAW, TCP, GRPC, OTHER);

    private static final int SMALL = 4096;
    private static final int LARGE = 1 << 20;
    private static final List<Load> LOADS = List.of(
            load(Operation.NULL, 0, 1),
            load(Operation.NULL, 0, 32),
            load(Operation.NULL, 0, 256),
            load(Operation.READ, SMALL, 1),
            load(Operation.READ, SMALL, 32),
            load(Operation.READ, SMALL, 256),
            load(Operation.WRITE, SMALL, 1),
            load(Operation.WRITE, SMALL, 32),
            load(Operation.WRITE, SMALL, 256),
            load(Operation.READ, LARGE, 8),
            load(Operation.WRITE, LARGE, 8));

    @Mixin
    private Rounds rounds = new Rounds();

    @Option(
            names = "--summary",
            paramLabel = "FOLDER",
            description =
                    "Also writes a short table beside gRPC and plain sockets there, as summary.md, and a picture of it, as summary.svg.")
    private @Nullable Path folder;

    /** A load whose number of calls the warm-up determines. */
    private static Load load(Operation operation, int size, int inFlight) {
        return new Load(operation, size, inFlight, inFlight);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (Subjects subjects = new Subjects()) {
            start(subjects, RAW_CRC, "raw", "raw-crc");
            start(subjects, IWARP_CRC, "rdma", "rdma", "-Dorg.emplace.rdma.provider=iwarp");
            start(subjects, RAW, "raw", "raw");
            start(subjects, IWARP, "rdma", "rdma", "-Dorg.emplace.rdma.provider=" + IwarpWithoutCrc.NAME);
            start(subjects, GRPC, "grpc", "grpc");
            start(subjects, TCP, "tcp", "tcp");
            start(subjects, OTHER, "tcp", "nfs-client");
            System.out.println(Machine.describe());
            Results results = new Results();
            rounds.measure(LOADS, subjects.all(), results);
            System.out.println(results.comparisons(COMPARISONS));
            System.out.println(results.percentiles(ALL));
            results.costs(ALL).forEach(System.out::println);
            if (folder != null) {
                Summary summary = new Summary(results, IWARP_CRC, GRPC, RAW_CRC);
                Files.createDirectories(folder);
                Files.writeString(folder.resolve("summary.md"), summary.table().toString());
                Files.writeString(
                        folder.resolve("summary.svg"), summary.picture().toSvg());
            }
            return 0;
        }
    }

    private void start(Subjects subjects, String name, String server, String client, String... options)
            throws IOException, InterruptedException {
        if (rounds.include(name)) {
            subjects.add(
                    JavaPair.start(name, "127.0.0.1", server, client, 1, Placement.APART, rounds.javaOptions(options)));
        }
    }
}
