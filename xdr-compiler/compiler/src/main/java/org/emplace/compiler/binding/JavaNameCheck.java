// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import javax.lang.model.SourceVersion;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.syntax.Clause;

/** E316: names are Java identifiers. */
final class JavaNameCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        facts.clauses()
                .byTarget()
                .values()
                .forEach(clauses -> clauses.forEach(clause -> {
                    if (clause instanceof Clause.JavaName name) {
                        check(name, diagnostics);
                    }
                }));
    }

    private static void check(Clause.JavaName clause, Diagnostics diagnostics) {
        String name = clause.name().text();
        if (!SourceVersion.isIdentifier(name) || SourceVersion.isKeyword(name)) {
            diagnostics.report(
                    Diagnostic.error("E316", clause.name().span(), "`" + name + "` is not a valid name in Java"));
        }
    }
}
