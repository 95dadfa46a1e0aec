// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.compiler.binding.Reach.ProcedureReach;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.link.Linker.Linked;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.syntax.Clause;
import org.emplace.compiler.syntax.Name;
import org.emplace.compiler.syntax.Sidecar;

/**
 * Makes the binding of a linked protocol: gathers the clauses, finds the items that they make eligible, checks them, and plans the chunks of every
 * procedure.
 */
public final class BindingAnalyzer {

    private static final List<BindingCheck> CHECKS = List.of(
            new ImportedClauseCheck(),
            new EligibleKindCheck(),
            new TooManyItemsCheck(),
            new NestedItemsCheck(),
            new MixedUseCheck(),
            new NumberCheck(),
            new JavaNameCheck(),
            new EffectlessNameCheck(),
            new ThresholdCheck(),
            new ElementSizeCheck(),
            new TypeClauseCheck(),
            new UnreachedClauseCheck(),
            new NoChunksCheck(),
            new BackwardCheck(),
            new SmallItemCheck());

    private static final List<String> USUAL_NETIDS = List.of("rdma", "rdma6");

    private final BindingFacts facts;
    private final Diagnostics diagnostics;

    private BindingAnalyzer(BindingFacts facts, Diagnostics diagnostics) {
        this.facts = facts;
        this.diagnostics = diagnostics;
    }

    /** The binding that the clauses in files and sidecars make. Reports errors; after errors, the result must not be used. */
    public static Binding analyze(Linked linked, List<Sidecar> sidecars, Diagnostics diagnostics) {
        Clauses clauses = ClauseGathering.gather(linked, sidecars, diagnostics);
        BindingFacts facts = BindingFacts.of(linked.protocol(), clauses);
        CHECKS.forEach(check -> check.check(facts, diagnostics));
        return new BindingAnalyzer(facts, diagnostics).binding();
    }

    private Binding binding() {
        Set<Target.Item> payloads = new LinkedHashSet<>();
        Set<Target.Item> encoded = new LinkedHashSet<>();
        // Even items that no procedure contains. Otherwise adding a procedure would change an item's Java type.
        for (Target.Item item : facts.eligibility().marked()) {
            TypeDefinition.Field field =
                    facts.protocol().type(item.type()).member(item.member()).orElseThrow();
            (facts.protocol().isBytes(field.type()) ? payloads : encoded).add(item);
        }
        Map<Target.Version, Binding.VersionBinding> versions = versions();
        return new Binding(
                Collections.unmodifiableSet(payloads),
                Collections.unmodifiableSet(encoded),
                versions,
                operations(versions),
                said(Clause.JavaName.class, Clause.JavaName::name),
                said(Clause.Prefix.class, Clause.Prefix::name),
                TypeClauses.of(facts.clauses()));
    }

    private Map<Target.Version, Binding.VersionBinding> versions() {
        PlanMaker plans = new PlanMaker(facts, diagnostics);
        Map<Target.Version, Binding.VersionBinding> versions = new LinkedHashMap<>();
        for (Program program : facts.protocol().programs()) {
            for (Program.Version version : program.versions()) {
                Target.Version target = new Target.Version(program.name(), version.name());
                Map<String, ChunkPlan> byProcedure = new LinkedHashMap<>();
                facts.procedures().stream()
                        .filter(reach -> isOf(reach, target))
                        .forEach(reach -> byProcedure.put(reach.procedure().name(), plans.plan(reach)));
                versions.put(target, version(target, version, byProcedure));
            }
        }
        return Collections.unmodifiableMap(versions);
    }

    private Binding.VersionBinding version(
            Target.Version target, Program.Version version, Map<String, ChunkPlan> plans) {
        Clauses clauses = facts.clauses();
        boolean bound = isBound(target, plans);
        if (bound && !diagnostics.hasErrors()) {
            new PlanCheck(facts, diagnostics).check(target, version, plans);
        }
        if (!bound) {
            diagnostics.report(Diagnostic.warning(
                            "W320",
                            version.origin(),
                            "`" + version.name() + "` has no binding, so all its data moves inside messages")
                    .hint("make items eligible (xdrc check suggests some); if none should be, write"
                            + " /*@ddp violation garbage-args */ before it"));
        }
        return new Binding.VersionBinding(
                bound,
                number(target, Clause.Numeric.Kind.PORT),
                clauses.of(target, Clause.Netids.class)
                        .map(netids -> netids.names().stream().map(Name::text).toList())
                        .orElse(USUAL_NETIDS),
                number(target, Clause.Numeric.Kind.INLINE_THRESHOLD),
                number(target, Clause.Numeric.Kind.MAX_MESSAGE),
                clauses.of(target, Clause.Violation.class)
                        .filter(Clause.Violation::errChunk)
                        .map(clause -> Binding.ViolationAnswer.ERR_CHUNK)
                        .orElse(Binding.ViolationAnswer.GARBAGE_ARGS),
                clauses.of(target, Clause.Backward.class).isPresent(),
                Collections.unmodifiableMap(plans),
                version.procedures().stream()
                        .filter(procedure -> isIdempotent(target, procedure))
                        .map(Program.Procedure::name)
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** Whether a clause declares a procedure or its version idempotent, or the procedure does nothing. */
    private boolean isIdempotent(Target.Version version, Program.Procedure procedure) {
        Target target = new Target.Procedure(version.program(), version.version(), procedure.name());
        return Stream.of(target, version)
                        .anyMatch(each -> facts.clauses()
                                .of(each, Clause.Idempotent.class)
                                .isPresent())
                || procedure.isNull();
    }

    private boolean isBound(Target.Version target, Map<String, ChunkPlan> plans) {
        return !facts.clauses().of(target).isEmpty()
                || facts.procedures().stream()
                        .filter(reach -> isOf(reach, target))
                        .anyMatch(reach -> !facts.clauses().of(reach.target()).isEmpty())
                || plans.values().stream().anyMatch(ChunkPlan::hasItems);
    }

    private OptionalInt number(Target.Version target, Clause.Numeric.Kind kind) {
        return facts.clauses()
                .of(target, kind)
                .map(clause -> OptionalInt.of(clause.value().number().intValue()))
                .orElse(OptionalInt.empty());
    }

    private static boolean isOf(ProcedureReach reach, Target.Version version) {
        return reach.target().program().equals(version.program())
                && reach.target().version().equals(version.version());
    }

    private Map<Target.Procedure, OperationMatch> operations(Map<Target.Version, Binding.VersionBinding> versions) {
        OperationMatcher matcher = new OperationMatcher(facts.protocol(), diagnostics);
        Map<Target.Procedure, OperationMatch> operations = new LinkedHashMap<>();
        versions.forEach((version, binding) -> facts.procedures().stream()
                .filter(reach -> isOf(reach, version))
                .forEach(reach -> facts.clauses()
                        .of(reach.target(), Clause.Operations.class)
                        .flatMap(clause -> matcher.match(clause, reach.procedure(), binding.plan(reach.procedure())))
                        .ifPresent(match -> operations.put(reach.target(), match))));
        return Collections.unmodifiableMap(operations);
    }

    /** The clauses of one kind by their targets. */
    private <C extends Clause> Map<Target, String> said(Class<C> kind, Function<C, Name> name) {
        Map<Target, String> said = new LinkedHashMap<>();
        facts.clauses()
                .byTarget()
                .keySet()
                .forEach(target -> facts.clauses()
                        .of(target, kind)
                        .ifPresent(clause -> said.put(target, name.apply(clause).text())));
        return Collections.unmodifiableMap(said);
    }
}
