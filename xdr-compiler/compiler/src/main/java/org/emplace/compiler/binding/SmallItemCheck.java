// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.HashSet;
import java.util.Set;
import org.emplace.compiler.binding.Reach.ProcedureReach;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/**
 * W325: an eligible item can be larger than a Send buffer (RFC 8166 section 6.1). Otherwise a chunk gains nothing. Runs only if the binding has no
 * errors.
 */
final class SmallItemCheck implements BindingCheck {

    /** The inline threshold of a connection that negotiates none (RFC 8166 section 3.3.2). */
    private static final int DEFAULT_THRESHOLD = 1024;

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        if (diagnostics.hasErrors()) {
            return;
        }
        LargestSizes sizes = LargestSizes.ofWhole(facts.protocol());
        Set<Target.Item> reported = new HashSet<>();
        for (ProcedureReach procedure : facts.procedures()) {
            int threshold = threshold(facts, procedure);
            for (Direction direction : Direction.values()) {
                for (Occurrence occurrence : procedure.in(direction).occurrences()) {
                    boolean small = sizes.ofItem(occurrence.field().type()) instanceof ChunkPlan.Size.Fixed size
                            && size.bytes() < threshold;
                    if (occurrence.eligible() && small && reported.add(occurrence.item())) {
                        report(occurrence, threshold, diagnostics);
                    }
                }
            }
        }
    }

    private static int threshold(BindingFacts facts, ProcedureReach procedure) {
        Target.Version version = new Target.Version(
                procedure.target().program(), procedure.target().version());
        return facts.clauses()
                .of(version, Clause.Numeric.Kind.INLINE_THRESHOLD)
                .map(clause -> clause.value().number().intValue())
                .orElse(DEFAULT_THRESHOLD);
    }

    private static void report(Occurrence occurrence, int threshold, Diagnostics diagnostics) {
        diagnostics.report(Diagnostic.warning(
                        "W325",
                        occurrence.field().origin(),
                        "`" + occurrence.field().name() + "` is eligible, but always smaller than the " + threshold
                                + " bytes that go inline")
                .hint("remove the clause, so that the item stays inline"));
    }
}
