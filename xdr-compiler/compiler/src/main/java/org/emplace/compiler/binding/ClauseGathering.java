// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.link.Linker.Linked;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;
import org.emplace.compiler.syntax.Sidecar;

/** Gathers the clauses of files and sidecars by their targets. A target has each kind of clause once. */
final class ClauseGathering {

    private final Map<Target, List<Clause>> byTarget = new LinkedHashMap<>();
    private final List<Clauses.PathClause> ofPaths = new ArrayList<>();
    private final SidecarNames names;
    private final Diagnostics diagnostics;

    private ClauseGathering(Linked linked, Diagnostics diagnostics) {
        this.names = new SidecarNames(linked.protocol(), diagnostics);
        this.diagnostics = diagnostics;
    }

    static Clauses gather(Linked linked, List<Sidecar> sidecars, Diagnostics diagnostics) {
        ClauseGathering gathering = new ClauseGathering(linked, diagnostics);
        for (Linked.PlacedClause placed : linked.clauses()) {
            gathering.add(placed.target(), placed.clause());
        }
        sidecars.forEach(sidecar -> sidecar.entries().forEach(gathering::add));
        return new Clauses(gathering.byTarget, gathering.ofPaths);
    }

    private void add(Sidecar.Entry entry) {
        if (entry.kind() == Sidecar.Kind.ITEM && names.isPath(entry.path())) {
            names.path(entry.path()).ifPresent(path -> entry.clauses().forEach(clause -> add(path, clause)));
        } else {
            names.target(entry).ifPresent(target -> entry.clauses().forEach(clause -> add(target, clause)));
        }
    }

    private void add(Target target, Clause clause) {
        if (!belongs(target, clause)) {
            diagnostics.report(Diagnostic.error(
                            "E305", clause.span(), "`" + clause.keyword() + "` does not apply to " + kind(target))
                    .hint("it applies to " + home(clause)));
            return;
        }
        List<Clause> clauses = byTarget.computeIfAbsent(target, any -> new ArrayList<>());
        for (Clause other : clauses) {
            if (other.keyword().equals(clause.keyword())) {
                diagnostics.report(Diagnostic.error("E304", clause.span(), "`" + clause.keyword() + "` is given twice")
                        .note(other.span(), "first given here"));
                return;
            }
        }
        clauses.add(clause);
    }

    private void add(SidecarNames.Path path, Clause clause) {
        if (clause instanceof Clause.JavaName || !belongs(path.item(), clause)) {
            diagnostics.report(Diagnostic.error(
                    "E305", clause.span(), "`" + clause.keyword() + "` does not apply to an item of one procedure"));
            return;
        }
        ofPaths.add(new Clauses.PathClause(path.procedure(), path.direction(), path.members(), path.item(), clause));
    }

    private static boolean belongs(Target target, Clause clause) {
        if (clause instanceof Clause.JavaName) {
            return true;
        } else if (clause instanceof Clause.Prefix) {
            return target instanceof Target.Version || target instanceof Target.Type;
        } else if (clause instanceof Clause.Idempotent) {
            return target instanceof Target.Procedure || target instanceof Target.Version;
        } else if (clause instanceof Clause.Open || clause instanceof Clause.AsValue || clause instanceof Clause.Bits) {
            return target instanceof Target.Type;
        } else if (clause instanceof Clause.Eligible || clause instanceof Clause.Size) {
            return target instanceof Target.Item;
        } else if (clause instanceof Clause.ReplySize || clause instanceof Clause.Operations) {
            return target instanceof Target.Procedure;
        } else if (clause instanceof Clause.Numeric numeric) {
            return switch (numeric.kind()) {
                case READ_CHUNKS, WRITE_CHUNKS -> target instanceof Target.Procedure;
                case PORT, INLINE_THRESHOLD, MAX_MESSAGE -> target instanceof Target.Version;
            };
        } else {
            return target instanceof Target.Version;
        }
    }

    private static String home(Clause clause) {
        if (belongs(new Target.Item("", ""), clause)) {
            return "a member or an arm";
        } else if (clause instanceof Clause.Prefix) {
            return "a version or an enum";
        } else if (belongs(new Target.Type(""), clause)) {
            return TypeClauseCheck.home(clause);
        } else if (clause instanceof Clause.Idempotent) {
            return "a procedure or a version";
        }
        return belongs(new Target.Version("", ""), clause) ? "a version" : "a procedure";
    }

    private static String kind(Target target) {
        if (target instanceof Target.Item) {
            return "a member or an arm";
        } else if (target instanceof Target.Type) {
            return "a type";
        } else if (target instanceof Target.Constant) {
            return "a constant";
        } else if (target instanceof Target.Version) {
            return "a version";
        } else {
            return "a procedure";
        }
    }
}
