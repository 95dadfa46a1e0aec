// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.HashMap;
import java.util.Map;
import javax.lang.model.SourceVersion;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;
import org.jspecify.annotations.Nullable;

/** E316: names are Java identifiers, and procedures of one name have one Java name. */
final class JavaNameCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        Map<String, Clause.JavaName> procedures = new HashMap<>();
        facts.clauses()
                .byTarget()
                .forEach((target, clauses) -> clauses.forEach(clause -> {
                    if (clause instanceof Clause.JavaName name) {
                        check(name, diagnostics);
                        if (target instanceof Target.Procedure procedure) {
                            check(procedure, name, procedures.putIfAbsent(procedure.procedure(), name), diagnostics);
                        }
                    }
                }));
    }

    private static void check(Clause.JavaName clause, Diagnostics diagnostics) {
        String name = clause.name().text();
        if (!SourceVersion.isIdentifier(name) || SourceVersion.isKeyword(name)) {
            diagnostics.report(
                    Diagnostic.error("E316", clause.name().span(), "`" + name + "` cannot be a name in Java"));
        }
    }

    private static void check(
            Target.Procedure procedure,
            Clause.JavaName clause,
            Clause.@Nullable JavaName other,
            Diagnostics diagnostics) {
        if (other != null && !other.name().text().equals(clause.name().text())) {
            diagnostics.report(Diagnostic.error(
                            "E316",
                            clause.name().span(),
                            "procedures `" + procedure.procedure() + "` have different names in Java")
                    .note(other.name().span(), "the other one"));
        }
    }
}
