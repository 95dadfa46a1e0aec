// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.math.BigInteger;
import java.util.Collection;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.syntax.Clause;

/** E317: the numbers in clauses are in range. */
final class NumberCheck implements BindingCheck {

    private static final int SMALLEST_THRESHOLD = 1024;
    private static final int LARGEST_PORT = 65535;

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        facts.clauses().byTarget().values().stream()
                .flatMap(Collection::stream)
                .filter(Clause.Numeric.class::isInstance)
                .map(Clause.Numeric.class::cast)
                .forEach(clause -> check(clause, diagnostics));
    }

    private static void check(Clause.Numeric clause, Diagnostics diagnostics) {
        switch (clause.kind()) {
            case PORT -> within(clause, 1, LARGEST_PORT, diagnostics);
            case INLINE_THRESHOLD -> within(clause, SMALLEST_THRESHOLD, Integer.MAX_VALUE, diagnostics);
            case MAX_MESSAGE -> within(clause, PlanCheck.DEFAULT_MAX_MESSAGE, Integer.MAX_VALUE, diagnostics);
            case READ_CHUNKS, WRITE_CHUNKS -> within(clause, 0, Integer.MAX_VALUE, diagnostics);
        }
    }

    private static void within(Clause.Numeric clause, int min, int max, Diagnostics diagnostics) {
        BigInteger number = clause.value().number();
        if (number.compareTo(BigInteger.valueOf(min)) < 0 || number.compareTo(BigInteger.valueOf(max)) > 0) {
            diagnostics.report(Diagnostic.error(
                    "E317",
                    clause.value().span(),
                    "`" + clause.keyword() + "` is " + number + ", but must be from " + min + " to " + max));
        }
    }
}
