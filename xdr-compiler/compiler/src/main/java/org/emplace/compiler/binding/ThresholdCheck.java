// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.Collection;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.syntax.Clause;

/** W336: a connection can advertise the recommended inline threshold (RFC 8797 section 4). */
final class ThresholdCheck implements BindingCheck {

    private static final int UNIT = 1024;
    private static final int LARGEST = 256 * UNIT;

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        facts.clauses().byTarget().values().stream()
                .flatMap(Collection::stream)
                .filter(Clause.Numeric.class::isInstance)
                .map(Clause.Numeric.class::cast)
                .filter(clause -> clause.kind() == Clause.Numeric.Kind.INLINE_THRESHOLD)
                .filter(clause -> clause.value().number().bitLength() < Integer.SIZE)
                .forEach(clause -> check(clause, clause.value().number().intValue(), diagnostics));
    }

    private static void check(Clause.Numeric clause, int threshold, Diagnostics diagnostics) {
        int advertised = Math.min(LARGEST, threshold / UNIT * UNIT);
        if (threshold >= UNIT && threshold != advertised) {
            diagnostics.report(Diagnostic.warning(
                            "W336",
                            clause.value().span(),
                            "`inline-threshold " + threshold + "` has the effect of " + advertised
                                    + ": connections advertise whole KiB, up to 256")
                    .hint("write inline-threshold " + advertised));
        }
    }
}
