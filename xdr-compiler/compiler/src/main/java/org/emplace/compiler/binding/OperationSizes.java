// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Arm;
import org.emplace.compiler.model.TypeDefinition.CaseValue;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.syntax.Clause;

/**
 * E332: an operation in a call offers a Write chunk for each eligible result that it returns, and for no other, so that its method can take the
 * destinations. Runs only if the binding has no errors.
 */
record OperationSizes(OperationMatch match, Clause.Operations clause, Protocol protocol, Diagnostics diagnostics) {

    void check(ChunkPlan plan) {
        if (!diagnostics.hasErrors()) {
            plan.results().items().forEach(this::check);
        }
    }

    private void check(EligibleItem item) {
        String name = "`" + item.item() + "`";
        if (!isInElement(item.path())) {
            diagnostics.report(Diagnostic.error(
                            "E332",
                            clause.span(),
                            name
                                    + " does not belong to a single operation: it is outside the elements of `results."
                                    + match.resultArray() + "`, or in an array within one")
                    .hint("remove the `eligible` clause of the item, or this clause"));
        } else if (!match.operations().stream().allMatch(each -> isOfferedWhereBrought(item, each))) {
            diagnostics.report(Diagnostic.error(
                            "E332",
                            clause.span(),
                            "the operations that return " + name
                                    + " must determine its size, and no other operation may")
                    .hint("write size args." + match.argumentArray() + "[i].NAME.count, or size NUMBER when args."
                            + match.argumentArray() + "[i]."
                            + match.arguments().discriminant().name() + " = NAME"));
        }
    }

    private boolean isInElement(List<String> path) {
        return path.size() > 2 && path.get(0).equals(match.resultArray()) && path.lastIndexOf(Occurrence.ELEMENTS) == 1;
    }

    private boolean isOfferedWhereBrought(EligibleItem item, CaseValue operation) {
        boolean isBrought = isNamed(
                match.results().arm(operation.value()).flatMap(Arm::field),
                item.path().get(2));
        return isOffered(item.size(), operation).equals(Optional.of(isBrought));
    }

    /** Whether a call with the operation offers a chunk of this size; empty if that depends on other parts of the call. */
    private Optional<Boolean> isOffered(Size size, CaseValue operation) {
        List<String> array = List.of(match.argumentArray());
        if (size instanceof Size.FromElements elements && elements.array().equals(array)) {
            List<String> path = elements.path();
            return match.arguments()
                    .arm(operation.value())
                    .flatMap(Arm::field)
                    .filter(field -> field.name().equals(path.get(0)))
                    .map(field -> isInEach(field.type(), path.subList(1, path.size())))
                    .orElse(Optional.of(false));
        }
        if (size instanceof Size.PerElement each
                && each.array().equals(array)
                && each.discriminant().size() == 1) {
            return Optional.of(each.selected().value() == operation.value());
        }
        return Optional.empty();
    }

    /** True if the path leads through structs only; empty if not. */
    private Optional<Boolean> isInEach(XdrType type, List<String> path) {
        XdrType at = type;
        for (String name : path) {
            if (!(protocol.definition(at).orElse(null) instanceof TypeDefinition.Structure structure)) {
                return Optional.empty();
            }
            at = structure.member(name).orElseThrow().type();
        }
        return Optional.of(true);
    }

    private static boolean isNamed(Optional<Field> field, String name) {
        return field.filter(each -> each.name().equals(name)).isPresent();
    }
}
