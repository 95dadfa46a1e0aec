// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import org.emplace.compiler.binding.Reach.ProcedureReach;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/** What checks examine: the clauses of a run and the items that they make eligible, before chunks are planned. */
record BindingFacts(Protocol protocol, Clauses clauses, Eligibility eligibility, List<ProcedureReach> procedures) {

    /** No chunk list can carry more items of one message. */
    private static final int MOST_ITEMS = 1000;

    static BindingFacts of(Protocol protocol, Clauses clauses) {
        Eligibility eligibility = new Eligibility(protocol, clauses);
        Reach reach = new Reach(protocol, eligibility, MOST_ITEMS);
        List<ProcedureReach> procedures = protocol.programs().stream()
                .flatMap(program -> program.versions().stream()
                        .flatMap(version -> version.procedures().stream()
                                .map(procedure -> reached(reach, clauses, program, version, procedure))))
                .toList();
        return new BindingFacts(protocol, clauses, eligibility, procedures);
    }

    private static ProcedureReach reached(
            Reach reach, Clauses clauses, Program program, Program.Version version, Program.Procedure procedure) {
        Target.Procedure target = new Target.Procedure(program.name(), version.name(), procedure.name());
        return new ProcedureReach(
                target,
                procedure,
                clauses.of(new Target.Version(program.name(), version.name()), Clause.Backward.class)
                        .isPresent(),
                reach.arguments(target, procedure),
                reach.results(target, procedure));
    }
}
