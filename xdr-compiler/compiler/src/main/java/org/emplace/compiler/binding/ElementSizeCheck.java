// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.binding.Reach.ProcedureReach;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.syntax.Clause;

/**
 * N337: a size that an argument states counts the bytes of the result. It does not if it counts the elements of an array, as requesters usually do, or
 * the bytes of data beside it in the arguments.
 */
final class ElementSizeCheck implements BindingCheck {

    private static final String ARGUMENTS = "args";

    /** The most bytes of a handle or the like, which a number before it is not about. */
    private static final long LARGEST_HANDLE = 1024;

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        facts.clauses().byTarget().forEach((target, clauses) -> {
            if (target instanceof Target.Item item) {
                clauses.forEach(clause -> check(facts, item, clause, diagnostics));
            }
        });
        facts.clauses().ofPaths().forEach(each -> check(facts, each.item(), each.clause(), diagnostics));
    }

    private static void check(BindingFacts facts, Target.Item item, Clause clause, Diagnostics diagnostics) {
        TypeDefinition holder = facts.protocol().types().get(item.type());
        if (holder == null
                || !(clause instanceof Clause.Size size)
                || !(size.expression().base() instanceof Clause.Base.Path path)
                || !path.steps().get(0).name().text().equals(ARGUMENTS)) {
            return;
        }
        Optional<XdrType> type = holder.member(item.member()).map(TypeDefinition.Field::type);
        if (type.map(facts.protocol()::resolve).orElse(XdrType.Primitive.VOID) instanceof XdrType.Array array) {
            note(
                    clause,
                    "`size` counts bytes, and an element of `" + item.member() + "` takes "
                            + bytes(facts.protocol().resolve(array.element())),
                    "if the argument counts elements",
                    diagnostics);
        }
        List<String> names =
                path.steps().stream().skip(1).map(step -> step.name().text()).toList();
        dataBeside(facts, item, names)
                .ifPresent(data -> note(
                        clause,
                        "`" + String.join(".", names) + "` may be the size of " + data + ", which follows it",
                        "if it is not the largest size of the result",
                        diagnostics));
    }

    private static void note(Clause clause, String message, String when, Diagnostics diagnostics) {
        diagnostics.report(new Diagnostic(
                "N337",
                Diagnostic.Severity.NOTE,
                clause.span(),
                message,
                List.of(),
                Optional.of(when + ", calls fail by RDMA: write size unbounded, or a number")));
    }

    private static String bytes(XdrType element) {
        if (element instanceof XdrType.Primitive primitive) {
            return String.valueOf(primitive.encodedSize());
        }
        return element instanceof XdrType.FixedOpaque opaque ? String.valueOf(opaque.size()) : "more than one";
    }

    /** The data that follows the number at the end of a path, in the arguments of some procedure that returns the item. */
    private static Optional<String> dataBeside(BindingFacts facts, Target.Item item, List<String> path) {
        return facts.procedures().stream()
                .filter(procedure -> procedure.results().occurrences().stream()
                        .anyMatch(each -> each.item().equals(item)))
                .map(ProcedureReach::procedure)
                .flatMap(procedure -> follows(facts.protocol(), procedure, path).stream())
                .findFirst();
    }

    /** One argument is entered by its members' names, several by their own. */
    private static Optional<String> follows(Protocol protocol, Program.Procedure procedure, List<String> path) {
        List<XdrType> arguments = procedure.arguments();
        if (arguments.size() == 1) {
            return follows(protocol, parts(protocol, arguments.get(0), path), path);
        }
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            parts.add(new Part(procedure.argumentNames().get(i), arguments.get(i)));
        }
        return follows(protocol, parts, path);
    }

    /** A member or an argument. */
    private record Part(String name, XdrType type) {}

    /** The members of a struct, or of the elements of an array. Of a union's arms only that of the name: it is sent without the others. */
    private static List<Part> parts(Protocol protocol, XdrType type, List<String> path) {
        XdrType entered = protocol.resolve(type) instanceof XdrType.Array array ? array.element() : type;
        return protocol.definition(entered).stream()
                .flatMap(definition -> definition.members().stream()
                        .filter(field -> !(definition instanceof TypeDefinition.Union)
                                || (!path.isEmpty() && field.name().equals(path.get(0)))))
                .map(field -> new Part(field.name(), field.type()))
                .toList();
    }

    /** The first part with data behind the number, in the innermost struct around it or in one around that. */
    private static Optional<String> follows(Protocol protocol, List<Part> parts, List<String> path) {
        int at = 0;
        while (at < parts.size() && !path.isEmpty() && !parts.get(at).name().equals(path.get(0))) {
            at++;
        }
        if (path.isEmpty() || at == parts.size()) {
            return Optional.empty();
        }
        List<Part> after = parts.subList(at + 1, parts.size());
        List<String> rest = path.subList(1, path.size());
        return follows(protocol, parts(protocol, parts.get(at).type(), rest), rest)
                .or(() -> after.stream()
                        .filter(part -> holdsData(protocol, part.type(), new HashSet<>()))
                        .map(part ->
                                (isData(protocol.resolve(part.type())) ? "" : "the data in ") + "`" + part.name() + "`")
                        .findFirst());
    }

    /** Whether a type is data or wraps it: in a struct, an arm of a union, or as optional-data. */
    private static boolean holdsData(Protocol protocol, XdrType type, Set<String> seen) {
        XdrType resolved = protocol.resolve(type);
        if (resolved instanceof XdrType.Optional optional) {
            return holdsData(protocol, optional.element(), seen);
        }
        if (resolved instanceof XdrType.Reference reference) {
            return seen.add(reference.name())
                    && protocol.type(reference.name()).members().stream()
                            .anyMatch(field -> holdsData(protocol, field.type(), seen));
        }
        return isData(resolved);
    }

    private static boolean isData(XdrType resolved) {
        return resolved instanceof XdrType.VariableArray
                || (resolved instanceof XdrType.VariableOpaque opaque && opaque.max() > LARGEST_HANDLE);
    }
}
