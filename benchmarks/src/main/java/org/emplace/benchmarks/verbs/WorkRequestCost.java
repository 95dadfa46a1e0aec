// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.verbs;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.NativeLibrary;

/**
 * Measures the cost of posting and reaping a work request with the native methods, for comparison with work_requests.c. Prints a line per run. Run in
 * the lab by {@code benchmarks/work-requests}.
 */
final class WorkRequestCost {
    private static final int PORT = 20102;
    private static final int ROUNDS = 200;
    private static final int RUNS = 7;
    /** The number of quiet runs in a row after which measuring begins. */
    private static final int QUIET_RUNS = 3;
    /** The most compiler time of a quiet run, as a part of the run's time. */
    private static final double QUIET = 0.02;

    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(120);

    private WorkRequestCost() {}

    /** Takes the address and the name of a device. */
    public static void main(String[] arguments) throws Exception {
        Optional<String> problem = NativeLibrary.unavailable();
        if (problem.isPresent()) {
            throw new IllegalStateException(problem.get());
        }
        byte[] address = InetAddress.getByName(arguments[0]).getAddress();
        WorkRequests single = requests(address, PORT, 1);
        WorkRequests batched = requests(address, PORT + 1, WorkRequests.REQUESTS);
        warmUp(single, batched);
        for (int run = 0; run < RUNS; run++) {
            print(arguments[1], 1, run, single.run(ROUNDS));
            print(arguments[1], WorkRequests.REQUESTS, run, batched.run(ROUNDS));
        }
    }

    private static WorkRequests requests(byte[] address, int port, int batch) throws IOException {
        return new WorkRequests(new Loopback(address, port, batch), batch);
    }

    private static void warmUp(WorkRequests single, WorkRequests batched) throws NativeException {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        long begin = System.nanoTime();
        int quiet = 0;
        for (long start = begin; quiet < QUIET_RUNS && start - begin < WARM_UP_NANOS; start = System.nanoTime()) {
            long before = compiler.getTotalCompilationTime();
            single.run(ROUNDS);
            batched.run(ROUNDS);
            long compiling = TimeUnit.MILLISECONDS.toNanos(compiler.getTotalCompilationTime() - before);
            quiet = compiling <= QUIET * (System.nanoTime() - start) ? quiet + 1 : 0;
        }
        if (quiet < QUIET_RUNS) {
            System.err.println("the compiler is still at work after " + WARM_UP_NANOS / 1_000_000_000 + " s");
        }
    }

    private static void print(String device, int batch, int run, WorkRequests.Cost cost) {
        System.out.printf(
                "work-request language=java device=%s batch=%d run=%d post_ns=%d reap_ns=%d%n",
                device, batch, run, cost.post(), cost.reap());
    }
}
