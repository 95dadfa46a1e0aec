// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Spelling;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Arm;
import org.emplace.compiler.model.TypeDefinition.CaseValue;
import org.emplace.compiler.model.TypeDefinition.Enumeration;
import org.emplace.compiler.model.TypeDefinition.Enumerator;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.Clause;
import org.emplace.compiler.syntax.Clause.Step;
import org.emplace.compiler.syntax.Name;

/** E330: the arrays of an {@code operations} clause match. E331: every operation has a result. */
final class OperationMatcher {
    private static final String RESULTS = "results";

    private final Protocol protocol;
    private final Diagnostics diagnostics;

    /** An enum and one of its values. */
    private record Success(Enumeration status, int value) {}

    OperationMatcher(Protocol protocol, Diagnostics diagnostics) {
        this.protocol = protocol;
        this.diagnostics = diagnostics;
    }

    /** Resolves the clause for a procedure. Returns empty if it has errors, which are reported. */
    Optional<OperationMatch> match(Clause.Operations clause, Program.Procedure procedure, ChunkPlan plan) {
        String of = " of `" + procedure.name() + "`";
        Optional<Union> arguments =
                elements(clause.arguments(), ArgumentPaths.ARGUMENTS, arguments(procedure), "among the arguments" + of);
        Optional<Union> results =
                elements(clause.results(), RESULTS, members(procedure.result()), "among the results" + of);
        Optional<Success> success = success(clause.success());
        if (arguments.isEmpty()
                || results.isEmpty()
                || success.isEmpty()
                || !isOneDiscriminant(clause, arguments.get(), results.get())
                || !saysStatus(clause, results.get(), success.get().status())
                || !isAnswered(clause, arguments.get(), results.get())) {
            return Optional.empty();
        }
        String array = clause.results().get(1).name().text();
        OperationMatch match = new OperationMatch(
                clause.arguments().get(1).name().text(),
                array,
                arguments.get(),
                results.get(),
                success.get().status().name(),
                success.get().value(),
                isWhole(results.get(), plan.results().member(array).content(), success.get()),
                operations(arguments.get(), results.get()));
        new OperationSizes(match, clause, protocol, diagnostics).check(plan);
        return Optional.of(match);
    }

    private Map<String, XdrType> arguments(Program.Procedure procedure) {
        if (procedure.arguments().size() == 1) {
            return members(procedure.arguments().get(0));
        }
        Map<String, XdrType> types = new LinkedHashMap<>();
        for (int i = 0; i < procedure.arguments().size(); i++) {
            types.put(procedure.argumentNames().get(i), procedure.arguments().get(i));
        }
        return types;
    }

    private Map<String, XdrType> members(XdrType type) {
        Map<String, XdrType> types = new LinkedHashMap<>();
        protocol.definition(type)
                .filter(holder ->
                        holder instanceof Structure && protocol.link(holder).isEmpty())
                .ifPresent(holder -> holder.members().forEach(field -> types.put(field.name(), field.type())));
        return types;
    }

    private Optional<Union> elements(List<Step> steps, String root, Map<String, XdrType> members, String where) {
        Span first = steps.get(0).name().span();
        if (steps.size() != 2
                || !steps.get(0).name().text().equals(root)
                || steps.stream().anyMatch(Step::indexed)) {
            report(first, "`operations` takes two arrays, `args.NAME` and `results.NAME`");
            return Optional.empty();
        }
        Name name = steps.get(1).name();
        XdrType type = members.get(name.text());
        if (type == null) {
            diagnostics.report(Diagnostic.error("E330", name.span(), "there is no `" + name.text() + "` " + where)
                    .hint(Spelling.hint(name.text(), members.keySet())));
            return Optional.empty();
        }
        Optional<Union> union = protocol.resolve(type) instanceof XdrType.VariableArray array
                ? protocol.definition(array.element())
                        .filter(Union.class::isInstance)
                        .map(Union.class::cast)
                : Optional.empty();
        Optional<Union> switched =
                union.filter(each -> protocol.resolve(each.discriminant().type()) != XdrType.Primitive.BOOL);
        if (switched.isEmpty()) {
            report(
                    name.span(),
                    "`" + name.text()
                            + "` is not a variable-length array of unions whose discriminant is an enum or a number");
        }
        return switched;
    }

    private Optional<Success> success(Name name) {
        Map<String, Success> known = new LinkedHashMap<>();
        for (TypeDefinition type : protocol.types().values()) {
            if (type instanceof Enumeration enumeration) {
                enumeration
                        .withAliases()
                        .forEach((Enumerator each) -> known.put(each.name(), new Success(enumeration, each.value())));
            }
        }
        Optional<Success> success = Optional.ofNullable(known.get(name.text()));
        if (success.isEmpty()) {
            diagnostics.report(Diagnostic.error("E330", name.span(), "no enum has a value `" + name.text() + "`")
                    .hint(Spelling.hint(name.text(), known.keySet())));
        }
        return success;
    }

    private boolean isOneDiscriminant(Clause.Operations clause, Union arguments, Union results) {
        boolean isOne = protocol.resolve(arguments.discriminant().type())
                .equals(protocol.resolve(results.discriminant().type()));
        if (!isOne) {
            diagnostics.report(Diagnostic.error(
                            "E330",
                            clause.span(),
                            "the discriminants of `" + arguments.name() + "` and `" + results.name()
                                    + "` have different types")
                    .note(arguments.origin(), "the arguments")
                    .note(results.origin(), "the results"));
        }
        return isOne;
    }

    private boolean saysStatus(Clause.Operations clause, Union results, Enumeration status) {
        boolean isSaid = results.members().stream().anyMatch(field -> isStatus(field.type(), status));
        if (!isSaid) {
            diagnostics.report(
                    Diagnostic.error(
                                    "E330",
                                    clause.success().span(),
                                    "no result in `" + results.name() + "` has a status that could be `"
                                            + clause.success().text() + "`")
                            .hint(
                                    "the status of an operation is its result, the result's first member, or the result's discriminant"));
        }
        return isSaid;
    }

    private boolean isStatus(XdrType type, Enumeration status) {
        TypeDefinition definition = protocol.definition(type).orElse(null);
        XdrType said = type;
        if (definition instanceof Union union) {
            said = union.discriminant().type();
        } else if (definition instanceof Structure structure
                && protocol.link(structure).isEmpty()) {
            said = structure.fields().get(0).type();
        }
        return protocol.resolve(said).equals(new XdrType.Reference(status.name()));
    }

    /** Whether success of an operation determines which items its result has, and a failed one does not have more. */
    private boolean isWhole(Union results, StreamOrder<EligibleItem> items, Success success) {
        return results.members().stream().allMatch(field -> {
            StreamOrder<EligibleItem> order = items.member(field.name());
            boolean isChoiceOfStatus = protocol.definition(field.type()).orElse(null) instanceof Union union
                    && isStatus(union.discriminant().type(), success.status());
            if (!isChoiceOfStatus) {
                return order.isFixed();
            }
            StreamOrder<EligibleItem> ofSuccess = ((Union)
                            protocol.definition(field.type()).orElseThrow())
                    .arm(success.value())
                    .flatMap(Arm::field)
                    .map(arm -> order.member(arm.name()))
                    .orElse(StreamOrder.none());
            return ofSuccess.isFixed() && order.most() <= ofSuccess.most();
        });
    }

    private boolean isAnswered(Clause.Operations clause, Union arguments, Union results) {
        List<CaseValue> missing =
                labels(arguments).filter(each -> !hasArm(results, each)).toList();
        if (!missing.isEmpty() && results.defaultArm().isEmpty()) {
            String names =
                    missing.stream().map(each -> "`" + each.label() + "`").collect(Collectors.joining(", "));
            diagnostics.report(
                    Diagnostic.error("E331", clause.span(), "`" + results.name() + "` has no arm for " + names)
                            .note(arguments.origin(), "the arguments have one")
                            .hint("give each operation a result, even if it is void"));
            return false;
        }
        return true;
    }

    /**
     * The operations: the labels of the arguments' union; if that has a default arm, also the labels of the results' union that the default stands
     * for.
     */
    private static List<CaseValue> operations(Union arguments, Union results) {
        List<CaseValue> operations = new ArrayList<>(labels(arguments).toList());
        if (arguments.defaultArm().isPresent()) {
            labels(results).filter(each -> !hasArm(arguments, each)).forEach(operations::add);
        }
        return List.copyOf(operations);
    }

    private static Stream<CaseValue> labels(Union union) {
        return union.arms().stream().flatMap(arm -> arm.cases().stream());
    }

    private static boolean hasArm(Union union, CaseValue value) {
        return labels(union).anyMatch(each -> each.value() == value.value());
    }

    private void report(Span span, String message) {
        diagnostics.report(Diagnostic.error("E330", span, message));
    }
}
