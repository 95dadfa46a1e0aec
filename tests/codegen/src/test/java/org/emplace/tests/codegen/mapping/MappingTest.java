// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.source.SourceFile;
import org.emplace.tests.codegen.mapping.Batch.Finding;
import org.emplace.tests.codegen.mapping.Batch.Totals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random protocols with eligible items in every position: each result is in its own buffer, by every transport. {@code
 * -Dmapping.calls=10000000} makes more calls, {@code -Dmapping.minutes=60} as many as it can in that time, {@code
 * -Dmapping.first=1000000} those of other seeds. {@code -Dmapping.seed=N} makes those of one protocol. The lab runs it
 * over verbs, with fewer protocols (tests/interop/verbs-contract).
 */
class MappingTest {
    private static final int PROTOCOLS_AT_ONCE = 40;
    private static final int CALLS_OF_EACH = 40;

    private final long calls = Long.getLong("mapping.calls", 4_000);
    private final long minutes = Long.getLong("mapping.minutes", 0);
    private final int protocols = Integer.getInteger("mapping.protocols", PROTOCOLS_AT_ONCE);
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
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
            long next = Long.getLong("mapping.first", 1);
            while (all.findings.isEmpty() && (minutes > 0 ? System.nanoTime() < deadline : all.calls < calls)) {
                all.add(new Batch(next, protocols, callsOfEach).run());
                next += protocols;
                System.out.println("mapping: seeds up to " + (next - 1) + ": " + all);
            }
        }
        if (!all.findings.isEmpty()) {
            Finding one = all.findings.get(0);
            throw new AssertionError("seed " + one.seed() + ", call " + one.call() + ": " + one.text() + "\n"
                    + all + "\nreplay with -Dmapping.seed=" + one.seed() + "\nshrunk:\n"
                    + Shrinking.of(one.seed(), one.call()));
        }
        assertThat(all.rejected).as("protocols that the compiler rejects").isEmpty();
        if (seed == null) {
            assertThat(all.transfers.keySet()).as("ways to move bytes").containsExactly(Transfers.Kind.values());
        }
    }
}
