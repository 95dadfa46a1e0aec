// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.Map;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/**
 * Checks the chunk plans of a version that has eligible items. W322: the requester knows the largest size of replies. W323: it knows how
 * many Write chunks to offer. W324: it knows the server's port.
 */
record PlanCheck(BindingFacts facts, Diagnostics diagnostics) {

    void check(Target.Version target, Program.Version version, Map<String, ChunkPlan> plans) {
        if (facts.clauses().of(target, Clause.Backward.class).isPresent()) {
            return;
        }
        if (plans.values().stream().noneMatch(ChunkPlan::hasItems)) {
            return;
        }
        for (Program.Procedure procedure : version.procedures()) {
            ChunkPlan plan = plans.get(procedure.name());
            if (plan != null) {
                check(new Target.Procedure(target.program(), target.version(), procedure.name()), procedure, plan);
            }
        }
        boolean saysPort = facts.clauses().of(target, Clause.Numeric.Kind.PORT).isPresent()
                || facts.clauses().of(target, Clause.DynamicPort.class).isPresent();
        if (!saysPort) {
            diagnostics.report(Diagnostic.warning(
                            "W324",
                            version.origin(),
                            "the binding of `" + version.name() + "` has no port for RDMA transports")
                    .hint("add port N, or port dynamic if clients ask rpcbind"));
        }
    }

    private void check(Target.Procedure target, Program.Procedure procedure, ChunkPlan plan) {
        if (plan.replyBound() instanceof ChunkPlan.Size.Unbounded
                && facts.clauses().of(target, Clause.ReplySize.class).isEmpty()) {
            diagnostics.report(Diagnostic.warning(
                            "W322",
                            procedure.origin(),
                            "the size of the replies of `" + procedure.name() + "` has no bound")
                    .hint("bound the types, or add reply-size N, reply-size args.member or reply-size unbounded"));
        }
        for (UncountedResult uncounted : UncountedResult.of(plan)) {
            diagnostics.report(Diagnostic.warning(
                            "W323",
                            procedure.origin(),
                            "the number of Write chunks of `" + procedure.name() + "` is not known: "
                                    + uncounted.example())
                    .hint("bound the array, or state how many chunks a call offers with write-chunks N"));
        }
    }
}
