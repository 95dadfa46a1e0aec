// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.syntax.Clause;

/** N337: a size that an argument states counts bytes, also for an array of numbers, whose requesters usually count elements. */
final class ElementSizeCheck implements BindingCheck {

    private static final String ARGUMENTS = "args";

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        facts.clauses().byTarget().forEach((target, clauses) -> {
            if (target instanceof Target.Item item) {
                clauses.forEach(clause -> check(facts.protocol(), item, clause, diagnostics));
            }
        });
        facts.clauses().ofPaths().forEach(each -> check(facts.protocol(), each.item(), each.clause(), diagnostics));
    }

    private static void check(Protocol protocol, Target.Item item, Clause clause, Diagnostics diagnostics) {
        boolean isOfArgument = clause instanceof Clause.Size size
                && size.expression().base() instanceof Clause.Base.Path path
                && path.steps().get(0).name().text().equals(ARGUMENTS);
        TypeDefinition holder = protocol.types().get(item.type());
        if (!isOfArgument || holder == null) {
            return;
        }
        holder.member(item.member()).map(TypeDefinition.Field::type).ifPresent(type -> {
            if (protocol.resolve(type) instanceof XdrType.Array array && protocol.isBytes(type)) {
                diagnostics.report(
                        new Diagnostic(
                                "N337",
                                Diagnostic.Severity.NOTE,
                                clause.span(),
                                "`size` counts bytes, and an element of `" + item.member() + "` takes "
                                        + bytes(protocol.resolve(array.element())),
                                List.of(),
                                Optional.of(
                                        "if the argument counts elements, calls fail by RDMA: write size unbounded, or a number")));
            }
        });
    }

    private static int bytes(XdrType number) {
        return switch ((XdrType.Primitive) number) {
            case HYPER, UNSIGNED_HYPER, DOUBLE -> 8;
            case QUADRUPLE -> 16;
            default -> 4;
        };
    }
}
