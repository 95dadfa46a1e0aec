// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.Reach.ProcedureReach;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Protocol;
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
        StreamOrder<EligibleItem> arguments = chunks(reach, Direction.ARGUMENTS, this::bound);
        StreamOrder<EligibleItem> results =
                chunks(reach, Direction.RESULTS, occurrence -> resultSize(reach, occurrence));
        ChunkPlan plan = new ChunkPlan(
                arguments,
                results,
                replyBound(reach, results),
                limit(reach, Direction.ARGUMENTS, arguments),
                limit(reach, Direction.RESULTS, results));
        warnOfSizes(reach, plan);
        return plan;
    }

    /** W321: a clause or a bound states the size of each result. */
    private void warnOfSizes(ProcedureReach reach, ChunkPlan plan) {
        Set<List<String>> items = plan.results().items().stream()
                .filter(item -> item.size() instanceof ChunkPlan.Size.Unbounded)
                .map(EligibleItem::path)
                .collect(Collectors.toSet());
        reach.results().occurrences().stream()
                .filter(occurrence -> items.contains(occurrence.path()))
                .filter(occurrence -> sizeClause(reach, occurrence).isEmpty())
                .forEach(occurrence -> diagnostics.report(Diagnostic.warning(
                                "W321",
                                occurrence.field().origin(),
                                "the size of `" + occurrence.item() + "` as a result of `"
                                        + reach.procedure().name()
                                        + "` has no bound: in a reply where it is longer than the call's destination"
                                        + " or, without one, than CallOptions.unboundedReplySize, the call fails")
                        .hint("state the size, such as size args.count, or accept such failures with size unbounded")));
    }

    /** The items that move by chunks; none in the backward direction. */
    private StreamOrder<EligibleItem> chunks(
            ProcedureReach reach, Direction direction, Function<Occurrence, ChunkPlan.Size> size) {
        if (reach.backward()) {
            return StreamOrder.none();
        }
        return reach.in(direction)
                .order()
                .map(occurrence -> Optional.of(occurrence)
                        .filter(each -> each.eligible() && each.inside().isEmpty())
                        .map(each -> new EligibleItem(
                                each.path(),
                                each.item(),
                                size.apply(each),
                                protocol.isBytes(each.field().type()))));
    }

    private ChunkPlan.Size resultSize(ProcedureReach reach, Occurrence occurrence) {
        return sizeClause(reach, occurrence)
                .map(said -> expressions.size(said, reach.procedure(), occurrence.isRepeated()))
                .orElseGet(() -> bound(occurrence));
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

    private ChunkPlan.Size replyBound(ProcedureReach reach, StreamOrder<EligibleItem> results) {
        Optional<Clause.ReplySize> said = clauses.of(reach.target(), Clause.ReplySize.class);
        if (said.isPresent()) {
            return expressions.size(said.get().expression(), reach.procedure());
        }
        return LargestSizes.without(protocol, results.items())
                .of(reach.procedure().result());
    }

    /** As many chunks as items, unless a clause states the limit. */
    private int limit(ProcedureReach reach, Direction direction, StreamOrder<EligibleItem> items) {
        return clauses.of(reach.target(), direction.limit())
                .map(clause -> clause.value().number().intValue())
                .orElse((int) Math.min(items.most(), Integer.MAX_VALUE));
    }
}
