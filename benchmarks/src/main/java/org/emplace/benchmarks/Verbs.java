// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.benchmarks.Results.Pairing;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;
import org.emplace.benchmarks.process.JavaPair;
import org.emplace.benchmarks.process.LinuxMount;
import org.emplace.benchmarks.process.Perftest;
import org.emplace.benchmarks.process.Placement;
import org.emplace.benchmarks.process.Subject;
import org.emplace.benchmarks.process.Subjects;
import org.emplace.benchmarks.process.SuspendedPair;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "verbs",
        mixinStandardHelpOptions = true,
        description = {
            "Measures NULL, READ and WRITE of NFS version 3 by the verbs provider between two JVMs over an RDMA device of this machine,"
                    + " beside perftest over the same device, DaRPC and, where it is mounted, the operating system's own NFS, all in turns,"
                    + " and prints tables in Markdown. The file is in the server's memory. benchmarks/verbs runs it in the lab."
        })
final class Verbs implements Callable<Integer> {
    private static final String VERBS = "verbs";
    private static final String VERBS_BUSY = "verbs, busy polling";
    private static final String PERFTEST = "perftest";
    private static final String PERFTEST_BY_EVENT = "perftest by event";
    private static final String DARPC = "DaRPC";
    private static final String LINUX = "Linux NFS/RDMA";

    private static final List<Pairing> COMPARISONS = List.of(
            new Pairing(VERBS, PERFTEST),
            new Pairing(VERBS, PERFTEST_BY_EVENT),
            new Pairing(VERBS_BUSY, PERFTEST),
            new Pairing(VERBS_BUSY, DARPC),
            new Pairing(DARPC, PERFTEST),
            new Pairing(VERBS, LINUX),
            new Pairing(LINUX, PERFTEST));

    private static final int IN_FLIGHT = 8;
    /** NULL is measured last: it is all processor time, and slow until the JVM has compiled rarely used code too. */
    private static final List<Load> NULL_LOADS = List.of(new Load(Operation.NULL, 0, 1, 2000));

    private static final List<Load> LARGE_LOADS = List.of(
            new Load(Operation.READ, 1 << 20, IN_FLIGHT, 80), new Load(Operation.WRITE, 1 << 20, IN_FLIGHT, 80));
    /** Loads with small payloads. Compared with the large ones, they show which costs grow with the payload. */
    private static final List<Load> SMALL_LOADS = List.of(
            new Load(Operation.READ, 1 << 16, IN_FLIGHT, 400), new Load(Operation.WRITE, 1 << 16, IN_FLIGHT, 400));

    @Option(names = "--device", paramLabel = "NAME", required = true, description = "The device.")
    private String device = "";

    @Option(names = "--address", paramLabel = "ADDRESS", required = true, description = "An address of the device.")
    private String address = "";

    @Option(
            names = "--mounted",
            paramLabel = "DIRECTORY",
            description =
                    "The directory where the operating system's NFS client has mounted its server over the device.")
    private @Nullable Path mounted;

    @Option(
            names = "--disni",
            paramLabel = "DIRECTORY",
            description =
                    "The directory of libdisni.so, the native library of DiSNI 2.1; without it, DaRPC is not measured.")
    private @Nullable Path disni;

    @Mixin
    private Rounds rounds = new Rounds();

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (Subjects subjects = new Subjects()) {
            subjects.add(new Perftest(PERFTEST, device, address, false));
            List<String> options =
                    rounds.javaOptions("--enable-native-access=ALL-UNNAMED", "-Dorg.emplace.rdma.provider=verbs");
            Subject ours = subjects.add(JavaPair.start(VERBS, address, "rdma", "rdma", 1, Placement.ANYWHERE, options));
            subjects.add(new Perftest(PERFTEST_BY_EVENT, device, address, true));
            if (mounted != null) {
                subjects.add(LinuxMount.start(LINUX, mounted, rounds.javaOptions()));
            }
            System.out.println(device + ": " + Machine.describe());
            Results results = new Results();
            rounds.measure(SMALL_LOADS, List.of(ours), results);
            rounds.measure(LARGE_LOADS, subjects.all(), results);
            if (rounds.include(VERBS_BUSY)) {
                List<String> busy = new ArrayList<>(options);
                busy.add("-Dorg.emplace.rdma.verbs.polling=busy");
                // A thread that spins while its methods are compiled crashes often where QEMU emulates the processor
                // (tests/interop/lab).
                busy.add("-Xbatch");
                subjects.add(SuspendedPair.of(
                        JavaPair.start(VERBS_BUSY, address, "rdma", "rdma", 1, Placement.ANYWHERE, busy)));
            }
            if (disni != null && rounds.include(DARPC)) {
                startDarpc(subjects, disni);
            }
            rounds.measure(NULL_LOADS, subjects.all(), results);
            System.out.println(results.comparisons(COMPARISONS));
            System.out.println(results.percentiles(List.of(VERBS, VERBS_BUSY, DARPC)));
            results.costs(List.of(VERBS, VERBS_BUSY, DARPC)).forEach(System.out::println);
            return 0;
        }
    }

    /** Adds DaRPC. If it does not start, the measurements so far are kept. */
    private void startDarpc(Subjects subjects, Path library) throws InterruptedException {
        List<String> options =
                rounds.javaOptions("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "-Djava.library.path=" + library);
        try {
            subjects.add(JavaPair.start(DARPC, address, "darpc", "darpc", 1, Placement.ANYWHERE, options));
        } catch (IOException failure) {
            System.err.println(DARPC + " is omitted: " + failure.getMessage());
        }
    }
}
