// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
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
                        "`" + String.join(".", names) + "` may be the size of `" + data + "`, which follows it",
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

    /** The member with data that follows the member at the end of a path, in the only argument of some procedure that returns the item. */
    private static Optional<String> dataBeside(BindingFacts facts, Target.Item item, List<String> path) {
        return facts.procedures().stream()
                .filter(procedure -> procedure.results().occurrences().stream()
                        .anyMatch(each -> each.item().equals(item)))
                .map(procedure -> procedure.procedure().arguments())
                .filter(arguments -> arguments.size() == 1)
                .flatMap(arguments -> follows(facts.protocol(), arguments.get(0), path).stream())
                .findFirst();
    }

    private static Optional<String> follows(Protocol protocol, XdrType root, List<String> path) {
        XdrType at = root;
        List<TypeDefinition.Field> after = List.of();
        for (String name : path) {
            List<TypeDefinition.Field> fields = protocol.definition(at)
                    .filter(TypeDefinition.Structure.class::isInstance)
                    .map(TypeDefinition::members)
                    .orElse(List.of());
            after = new ArrayList<>(fields);
            while (!after.isEmpty() && !after.get(0).name().equals(name)) {
                after.remove(0);
            }
            if (after.isEmpty()) {
                return Optional.empty();
            }
            at = after.remove(0).type();
        }
        return after.stream()
                .filter(field -> isData(protocol.resolve(field.type())))
                .map(TypeDefinition.Field::name)
                .findFirst();
    }

    private static boolean isData(XdrType type) {
        return type instanceof XdrType.VariableArray
                || (type instanceof XdrType.VariableOpaque opaque && opaque.max() > LARGEST_HANDLE);
    }
}
