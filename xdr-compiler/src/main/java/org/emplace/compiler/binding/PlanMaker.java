// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/** Makes the chunk plan of a procedure. */
final class PlanMaker {

    private final Protocol protocol;
    private final Clauses clauses;
    private final SizeExpressions expressions;
    private final Diagnostics diagnostics;

    PlanMaker(BindingFacts facts, Diagnostics diagnostics) {
        this.protocol = facts.protocol();
        this.clauses = facts.clauses();
        this.expressions = new SizeExpressions(facts.protocol(), diagnostics);
        this.diagnostics = diagnostics;
    }

    ChunkPlan plan(ProcedureReach reach) {
        List<Occurrence> arguments = chunks(reach, Direction.ARGUMENTS);
        List<Occurrence> results = chunks(reach, Direction.RESULTS);
        return new ChunkPlan(
                arguments.stream()
                        .map(occurrence ->
                                new ChunkPlan.EligibleItem(occurrence.path(), occurrence.item(), bound(occurrence)))
                        .toList(),
                results.stream()
                        .map(occurrence -> new ChunkPlan.EligibleItem(
                                occurrence.path(), occurrence.item(), resultSize(reach, occurrence)))
                        .toList(),
                replyBound(reach, results),
                limit(reach, Clause.Numeric.Kind.READ_CHUNKS, arguments),
                limit(reach, Clause.Numeric.Kind.WRITE_CHUNKS, results),
                clauses.of(reach.target(), Clause.WriteListInOrder.class).isPresent());
    }

    /** The items that move by chunks; none in the backward direction. */
    private static List<Occurrence> chunks(ProcedureReach reach, Direction direction) {
        return reach.backward()
                ? List.of()
                : reach.in(direction).occurrences().stream()
                        .filter(occurrence ->
                                occurrence.eligible() && occurrence.inside().isEmpty())
                        .toList();
    }

    private ChunkPlan.Size resultSize(ProcedureReach reach, Occurrence occurrence) {
        Optional<Clause.Size> said = sizeClause(reach, occurrence);
        if (said.isPresent()) {
            return expressions.size(said.get(), reach.procedure(), occurrence.isRepeated());
        }
        ChunkPlan.Size bound = bound(occurrence);
        if (bound instanceof ChunkPlan.Size.Unbounded) {
            diagnostics.report(Diagnostic.warning(
                            "W321",
                            occurrence.field().origin(),
                            "the size of `" + occurrence.item() + "` as a result of `"
                                    + reach.procedure().name() + "` has no bound")
                    .hint("add a size clause, such as size args.count"));
        }
        return bound;
    }

    private Optional<Clause.Size> sizeClause(ProcedureReach reach, Occurrence occurrence) {
        for (Clauses.PathClause about : clauses.ofPaths()) {
            if (about.clause() instanceof Clause.Size size
                    && Eligibility.isAt(about, reach.target(), Direction.RESULTS, occurrence.path())) {
                return Optional.of(size);
            }
        }
        return clauses.of(occurrence.item(), Clause.Size.class);
    }

    private ChunkPlan.Size bound(Occurrence occurrence) {
        return new LargestSizes(protocol, Set.of()).ofItem(occurrence.field().type());
    }

    private ChunkPlan.Size replyBound(ProcedureReach reach, List<Occurrence> results) {
        Optional<Clause.ReplySize> said = clauses.of(reach.target(), Clause.ReplySize.class);
        if (said.isPresent()) {
            return expressions.size(said.get().expression(), reach.procedure());
        }
        Set<Target.Item> items = results.stream().map(Occurrence::item).collect(Collectors.toSet());
        return new LargestSizes(protocol, items).of(reach.procedure().result());
    }

    private int limit(ProcedureReach reach, Clause.Numeric.Kind kind, List<Occurrence> items) {
        int asManyAsItems = items.stream().anyMatch(Occurrence::isRepeated) ? Integer.MAX_VALUE : items.size();
        return clauses.of(reach.target(), kind)
                .map(clause -> clause.value().number().intValue())
                .orElse(asManyAsItems);
    }
}
