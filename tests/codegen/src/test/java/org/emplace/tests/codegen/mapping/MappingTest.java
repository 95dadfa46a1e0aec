// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.source.SourceFile;
import org.emplace.tests.codegen.mapping.Batch.Finding;
import org.emplace.tests.codegen.mapping.Batch.Totals;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random protocols with eligible items in every position: each result is in its own buffer, by every transport. {@code
 * -Dmapping.calls=10000000} makes more calls, {@code -Dmapping.minutes=60} as many as it can in that time, {@code
 * -Dmapping.first=1000000} those of other seeds. To compile a protocol takes longer than some hundred calls, so {@code
 * -Dmapping.callsOfEach=1000} makes more calls in the same time, and {@code -Dmapping.threads=2} uses both processors.
 * Outside of the build, {@code -XX:TieredStopAtLevel=1} halves the time, since the classes of each protocol are new.
 * {@code -Dmapping.seed=N} makes the calls of one protocol. The lab runs it over verbs, with fewer protocols
 * (tests/interop/verbs-contract).
 */
class MappingTest {
    private static final int PROTOCOLS_AT_ONCE = 40;
    private static final int CALLS_OF_EACH = 24;

    private final long calls = Long.getLong("mapping.calls", 4_000);
    private final long minutes = Long.getLong("mapping.minutes", 0);
    private final int protocols = Integer.getInteger("mapping.protocols", PROTOCOLS_AT_ONCE);
    private final int threads = Integer.getInteger("mapping.threads", 1);
    private final int callsOfEach = Integer.getInteger("mapping.callsOfEach", CALLS_OF_EACH);

    /** A type is encoded in one way, so its item would take the chunk of one that is eligible. */
    @ParameterizedTest
    @CsvSource({"argument, results", "result, args"})
    void aTypeThatIsEligibleInOneDirectionOnlyIsRefusedBesideEligibleItemsOfTheOther(String only, String refused) {
        int refusals = 0;
        for (long seed = 1; seed <= 200; seed++) {
            Draft draft = ProtocolDraw.of(seed, Draws.of(seed));
            if (draft.results() instanceof Node.Struct && draft.operations().isEmpty()) {
                boolean isRefused = refused.equals("results")
                        ? !draft.resultItems().isEmpty()
                        : draft.arguments().stream()
                                .anyMatch(each -> !Items.of(each.node()).isEmpty());
                String text = draft.textWithShared(only);
                List<String> errors = XdrCompiler.analyze(List.of(new SourceFile("map.x", text))).diagnostics().stream()
                        .filter(Diagnostic::isError)
                        .map(Diagnostic::code)
                        .toList();
                assertThat(errors).as(text).isEqualTo(isRefused ? List.of("E311") : List.of());
                refusals += isRefused ? 1 : 0;
            }
        }
        assertThat(refusals).isGreaterThan(20);
    }

    @Test
    void eachResultIsInItsOwnBuffer() throws Exception {
        Long seed = Long.getLong("mapping.seed");
        Totals all = new Totals();
        if (seed != null) {
            all.add(new Batch(seed, 1, callsOfEach).run());
        } else {
            AtomicLong next = new AtomicLong(Long.getLong("mapping.first", 1));
            ExecutorService executor = Executors.newFixedThreadPool(threads);
            List<Callable<Void>> tasks = Collections.nCopies(threads, () -> runBatches(next, all));
            List<Future<Void>> ended = executor.invokeAll(tasks);
            executor.shutdown();
            for (Future<Void> each : ended) {
                each.get();
            }
        }
        requireNoFinding(all);
        assertThat(all.rejected).as("protocols that the compiler rejects").isEmpty();
        if (seed == null) {
            assertThat(all.transfers.keySet()).as("ways to move bytes").containsExactly(Transfers.Kind.values());
        }
    }

    /** Runs batch after batch, as other threads may do. */
    private @Nullable Void runBatches(AtomicLong next, Totals all) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        while (true) {
            synchronized (all) {
                if (!all.findings.isEmpty() || (minutes > 0 ? System.nanoTime() >= deadline : all.calls >= calls)) {
                    return null;
                }
            }
            long first = next.getAndAdd(protocols);
            Totals batch = new Batch(first, protocols, callsOfEach).run();
            synchronized (all) {
                all.add(batch);
                batch.findings.forEach(one -> System.out.println("mapping: wrong: " + one));
                System.out.println("mapping: seeds up to " + (first + protocols - 1) + ": " + all);
            }
        }
    }

    private static void requireNoFinding(Totals all) throws Exception {
        if (!all.findings.isEmpty()) {
            Finding one = all.findings.get(0);
            throw new AssertionError("seed " + one.seed() + ", call " + one.call() + ": " + one.text() + "\n"
                    + all + "\nreplay with -Dmapping.seed=" + one.seed() + "\nshrunk:\n"
                    + Shrinking.of(one.seed(), one.call()));
        }
    }
}
