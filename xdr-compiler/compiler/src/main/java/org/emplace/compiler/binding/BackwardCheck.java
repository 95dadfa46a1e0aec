// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/**
 * W326: a program that is called in the backward direction has no address, because its calls use the connection that its server, the client of
 * the forward direction, has made (draft-ietf-nfsv4-rfc5666bis-01 section 8.4); and no answer to calls that break the binding, because they have
 * no chunks.
 */
final class BackwardCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        facts.clauses().byTarget().forEach((target, clauses) -> {
            if (target instanceof Target.Version version
                    && facts.clauses().of(version, Clause.Backward.class).isPresent()) {
                warn(version, clauses, diagnostics);
            }
        });
    }

    private static void warn(Target.Version version, List<Clause> clauses, Diagnostics diagnostics) {
        clauses.stream()
                .filter(clause -> isAddress(clause) || clause instanceof Clause.Violation)
                .forEach(clause -> diagnostics.report(Diagnostic.warning(
                                "W326",
                                clause.span(),
                                "`" + clause.keyword() + "` has no effect: `" + version.version()
                                        + "` is called in the backward direction, "
                                        + (isAddress(clause) ? "on the client's connection" : "without chunks"))
                        .hint("remove the clause")));
    }

    private static boolean isAddress(Clause clause) {
        return clause instanceof Clause.DynamicPort
                || clause instanceof Clause.Netids
                || (clause instanceof Clause.Numeric numeric && numeric.kind() == Clause.Numeric.Kind.PORT);
    }
}
