// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.verbs;

import java.net.InetAddress;
import java.util.Optional;
import org.emplace.rdma.verbs.jni.NativeLibrary;

/**
 * What one posted and one reaped work request cost through the native methods, beside work_requests.c: prints a line a run. Run in the lab by
 * {@code benchmarks/work-requests}.
 */
final class WorkRequestCost {
    private static final int ROUNDS = 200;
    private static final int WARM_UP = 2;
    private static final int RUNS = 7;

    private WorkRequestCost() {}

    /** Takes the address and the name of a device. */
    public static void main(String[] arguments) throws Exception {
        Optional<String> problem = NativeLibrary.unavailable();
        if (problem.isPresent()) {
            throw new IllegalStateException(problem.get());
        }
        Loopback loopback = new Loopback(InetAddress.getByName(arguments[0]).getAddress());
        WorkRequests single = new WorkRequests(loopback, 1);
        WorkRequests batched = new WorkRequests(loopback, WorkRequests.REQUESTS);
        for (int run = 0; run < RUNS; run++) {
            print(arguments[1], 1, run - WARM_UP, single.run(ROUNDS));
            print(arguments[1], WorkRequests.REQUESTS, run - WARM_UP, batched.run(ROUNDS));
        }
    }

    private static void print(String device, int batch, int run, WorkRequests.Cost cost) {
        if (run >= 0) {
            System.out.printf(
                    "work-request language=java device=%s batch=%d run=%d post_ns=%d reap_ns=%d%n",
                    device, batch, run, cost.post(), cost.reap());
        }
    }
}
