// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.emplace.rpc.RpcException;

/** Some protocols that are compiled and served together, and calls of each. */
final class Batch {
    private final long first;
    private final int protocols;
    private final int callsOfEach;

    /** What a batch has done, and what was wrong. */
    static final class Totals {
        long calls;
        long failedCalls;
        long warned;
        int accepted;
        final Map<Transfers.Kind, Integer> transfers = new EnumMap<>(Transfers.Kind.class);
        final List<String> rejected = new ArrayList<>();
        final List<Finding> findings = new ArrayList<>();

        void add(Totals more) {
            calls += more.calls;
            failedCalls += more.failedCalls;
            warned += more.warned;
            accepted += more.accepted;
            more.transfers.forEach((kind, count) -> transfers.merge(kind, count, Integer::sum));
            rejected.addAll(more.rejected);
            findings.addAll(more.findings);
        }

        @Override
        public String toString() {
            return calls + " calls of " + accepted + " protocols (" + warned + " may lack chunks, " + rejected.size()
                    + " not accepted), " + failedCalls + " failed as they may, " + findings.size() + " wrong, "
                    + transfers;
        }
    }

    /** A call that went wrong. */
    record Finding(long seed, int call, String text) {}

    Batch(long first, int protocols, int callsOfEach) {
        this.first = first;
        this.protocols = protocols;
        this.callsOfEach = callsOfEach;
    }

    /** The seed of a call. */
    static long seedOf(long protocol, int call) {
        return protocol * 1_000_003L + call;
    }

    /** Makes all calls; of a protocol, none after the first that is wrong. */
    Totals run() throws IOException, InterruptedException, RpcException {
        Totals totals = new Totals();
        List<Draft> drafts = LongStream.range(first, first + protocols)
                .mapToObj(seed -> ProtocolDraw.of(seed, Draws.of(seed)))
                .toList();
        List<Program> programs = Program.of(drafts, totals.rejected);
        totals.accepted = programs.size();
        try (Network network = new Network(programs)) {
            for (Program program : programs) {
                totals.warned += program.isWarnedOfChunks() ? 1 : 0;
                for (int call = 0; call < callsOfEach; call++) {
                    Exchange exchange = Exchange.of(
                            program.draft(), Draws.of(seedOf(program.draft().seed(), call)));
                    Verdict verdict = Verdict.of(program, exchange, network);
                    totals.calls += verdict.outcomes().size();
                    totals.failedCalls += verdict.failures();
                    if (verdict.fault() != null) {
                        totals.findings.add(new Finding(
                                program.draft().seed(),
                                call,
                                String.valueOf(verdict.fault().getMessage())));
                        break;
                    }
                }
            }
            totals.transfers.putAll(network.transfers().calls());
        }
        return totals;
    }
}
