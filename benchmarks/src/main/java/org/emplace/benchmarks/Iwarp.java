// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.benchmarks.client.IwarpWithoutCrc;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Operation;
import org.emplace.benchmarks.process.Subject;
import org.emplace.benchmarks.process.Subject.Measured;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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

    private static final List<Comparison> COMPARISONS = List.of(
            new Comparison(IWARP_CRC, RAW_CRC),
            new Comparison(IWARP, RAW),
            new Comparison(IWARP_CRC, TCP),
            new Comparison(IWARP_CRC, OTHER),
            new Comparison(TCP, RAW),
            new Comparison(TCP, OTHER));

    private static final int IN_FLIGHT = 8;
    private static final List<Load> LOADS = List.of(
            new Load(Operation.NULL, 0, 1, 20_000),
            new Load(Operation.READ, 4096, 1, 10_000),
            new Load(Operation.WRITE, 4096, 1, 10_000),
            new Load(Operation.READ, 1 << 20, IN_FLIGHT, 1000),
            new Load(Operation.WRITE, 1 << 20, IN_FLIGHT, 1000));

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "7",
            description = "Measured runs of each subject under each load (${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "8",
            description = "How long each subject runs under each load before it is measured (${DEFAULT-VALUE}).")
    private int warmUpSeconds;

    @Option(
            names = "--calls",
            paramLabel = "PERCENT",
            defaultValue = "100",
            description = "Calls in a run, of 20,000 (NULL), 10,000 (4 KiB) and 1,000 (1 MiB) (${DEFAULT-VALUE}).")
    private int percent;

    @Option(
            names = "--java",
            paramLabel = "OPTION",
            description = "An option for the JVMs of servers and clients; may be repeated.")
    private List<String> javaOptions = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Subject> subjects = new ArrayList<>();
        try {
            subjects.add(start(RAW_CRC, "raw", "raw-crc"));
            subjects.add(start(IWARP_CRC, "rdma", "rdma", "-Dorg.emplace.rdma.provider=iwarp"));
            subjects.add(start(RAW, "raw", "raw"));
            subjects.add(start(IWARP, "rdma", "rdma", "-Dorg.emplace.rdma.provider=" + IwarpWithoutCrc.NAME));
            subjects.add(start(TCP, "tcp", "tcp"));
            subjects.add(start(OTHER, "tcp", "nfs-client"));
            System.out.println(Machine.describe());
            Results results = measure(subjects);
            System.out.println(results.comparisons(COMPARISONS));
            System.out.println(results.costs("Bytes allocated per call", Measured::allocatedPerCall));
            System.out.println(results.costs("Processor time per call, µs", Measured::cpuPerCall));
            return 0;
        } finally {
            for (Subject subject : subjects) {
                subject.close();
            }
        }
    }

    private Subject start(String name, String server, String client, String... options)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(javaOptions);
        Collections.addAll(all, options);
        return Subject.start(name, server, client, all);
    }

    /** In each round every subject has a run, so that what disturbs the machine disturbs all alike. */
    private Results measure(List<Subject> subjects) throws IOException, InterruptedException {
        Results results = new Results();
        for (Load whole : LOADS) {
            Load load = whole.withCalls(Math.max(whole.inFlight(), whole.calls() * percent / 100));
            for (Subject subject : subjects) {
                warmUp(subject, load);
            }
            for (int run = 0; run < runs; run++) {
                for (Subject subject : subjects) {
                    results.add(load, subject.name(), subject.measure(load));
                }
            }
            System.err.println("measured " + load);
        }
        return results;
    }

    /** Until the JVM has compiled what matters. */
    private void warmUp(Subject subject, Load load) throws IOException, InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(warmUpSeconds).toNanos();
        do {
            subject.measure(load);
        } while (System.nanoTime() < end);
    }
}
