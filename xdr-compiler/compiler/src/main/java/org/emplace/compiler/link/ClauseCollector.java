// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.link.Linker.Linked;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/** Collects the clauses in XDR files, and records which targets of clauses have errors. */
final class ClauseCollector {

    private final List<Linked.PlacedClause> placed = new ArrayList<>();
    private final Set<Target> inError = new HashSet<>();
    private final Set<String> leftOut = new HashSet<>();
    private final Diagnostics diagnostics;

    ClauseCollector(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    void place(Target target, List<Clause> clauses) {
        clauses.forEach(clause -> placed.add(new Linked.PlacedClause(target, clause)));
    }

    /** Takes back the clauses in a type that is left out with the case that holds it. Reports each: it has no effect. */
    void leaveOut(String type) {
        leftOut.add(type);
        placed.removeIf(each -> {
            boolean isIn = each.target() instanceof Target.Item item && isLeftOut(item.type());
            if (isIn) {
                diagnostics.report(each.clause().withoutEffect(UnionLinker.LEFT_OUT));
            }
            return isIn;
        });
    }

    /** Whether a type is left out, or is declared in one that is. */
    boolean isLeftOut(String type) {
        return leftOut.stream().anyMatch(each -> type.equals(each) || type.startsWith(each + "."));
    }

    List<Linked.PlacedClause> placed() {
        return List.copyOf(placed);
    }

    /** Links a target. The target is in error if that reports errors. */
    <T> T link(Target target, Supplier<T> linking) {
        int before = diagnostics.errorCount();
        T linked = linking.get();
        if (diagnostics.errorCount() > before) {
            inError.add(target);
        }
        return linked;
    }

    void markInError(Target target) {
        inError.add(target);
    }

    Set<Target> inError() {
        return Set.copyOf(inError);
    }
}
