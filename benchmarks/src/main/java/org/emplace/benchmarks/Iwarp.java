// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.benchmarks.client.IwarpWithoutCrc;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Operation;
import org.emplace.benchmarks.process.JavaPair;
import org.emplace.benchmarks.process.Subject;
import org.emplace.benchmarks.process.Subjects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "iwarp",
        mixinStandardHelpOptions = true,
        description = {
            "Measures NULL, READ and WRITE of NFS version 3 over software iWARP between two JVMs on loopback, with and without CRC32C,"
                    + " beside plain NIO sockets, Emplace's TCP transport and another Java NFS client, all in turns, and prints tables in"
                    + " Markdown. The file is in the server's memory. Takes some minutes; another load on the machine shows."
        })
final class Iwarp implements Callable<Integer> {
    private static final String IWARP_CRC = "iWARP with CRC32C";
    private static final String IWARP = "iWARP without CRC32C";
    private static final String TCP = "TCP transport";
    private static final String RAW_CRC = "plain sockets with CRC32C";
    private static final String RAW = "plain sockets";
    private static final String OTHER = "com.emc.ecs:nfs-client over TCP";

    private static final List<Pairing> COMPARISONS = List.of(
            new Pairing(IWARP_CRC, RAW_CRC),
            new Pairing(IWARP, RAW),
            new Pairing(IWARP_CRC, TCP),
            new Pairing(IWARP_CRC, OTHER),
            new Pairing(TCP, RAW),
            new Pairing(TCP, OTHER));

    private static final List<String> ALL = List.of(RAW_CRC, IWARP_CRC, RAW, IWARP, TCP, OTHER);

    private static final int IN_FLIGHT = 8;
    private static final List<Load> LOADS = List.of(
            new Load(Operation.NULL, 0, 1, 20_000),
            new Load(Operation.READ, 4096, 1, 10_000),
            new Load(Operation.WRITE, 4096, 1, 10_000),
            new Load(Operation.READ, 1 << 20, IN_FLIGHT, 1000),
            new Load(Operation.WRITE, 1 << 20, IN_FLIGHT, 1000));

    @Mixin
    private Rounds rounds = new Rounds();

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (Subjects subjects = new Subjects()) {
            subjects.add(start(RAW_CRC, "raw", "raw-crc"));
            subjects.add(start(IWARP_CRC, "rdma", "rdma", "-Dorg.emplace.rdma.provider=iwarp"));
            subjects.add(start(RAW, "raw", "raw"));
            subjects.add(start(IWARP, "rdma", "rdma", "-Dorg.emplace.rdma.provider=" + IwarpWithoutCrc.NAME));
            subjects.add(start(TCP, "tcp", "tcp"));
            subjects.add(start(OTHER, "tcp", "nfs-client"));
            System.out.println(Machine.describe());
            Results results = new Results();
            rounds.measure(LOADS, subjects.all(), results);
            System.out.println(results.comparisons(COMPARISONS));
            results.costs(ALL).forEach(System.out::println);
            return 0;
        }
    }

    private Subject start(String name, String server, String client, String... options)
            throws IOException, InterruptedException {
        return JavaPair.start(name, "127.0.0.1", server, client, rounds.javaOptions(options));
    }
}
