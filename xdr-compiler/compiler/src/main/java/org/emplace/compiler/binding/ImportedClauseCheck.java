// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Imports;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol.Constant;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.Clause;

/** E329: an imported definition already has its class, so clauses of other files cannot apply to it. */
final class ImportedClauseCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        Protocol protocol = facts.protocol();
        facts.clauses().byTarget().forEach((target, clauses) -> check(protocol, target, clauses, diagnostics));
        for (Clauses.PathClause path : facts.clauses().ofPaths()) {
            check(protocol, path.item(), List.of(path.clause()), diagnostics);
        }
    }

    private static void check(Protocol protocol, Target target, List<Clause> clauses, Diagnostics diagnostics) {
        Imports imports = protocol.imports();
        Optional<String> packageName = origin(protocol, target).map(Span::file).flatMap(imports::packageOf);
        if (packageName.isEmpty()) {
            return;
        }
        clauses.stream()
                .filter(clause -> imports.packageOf(clause.span().file()).isEmpty())
                .forEach(clause -> diagnostics.report(Diagnostic.error(
                                "E329",
                                clause.span(),
                                "`" + target + "` is imported from " + packageName.get()
                                        + ", where its class was generated without `" + clause.keyword() + "`")
                        .hint("put the clause into the imported file, and generate its package again")));
    }

    private static Optional<Span> origin(Protocol protocol, Target target) {
        if (target instanceof Target.Item item) {
            return Optional.of(protocol.type(item.type()).origin());
        } else if (target instanceof Target.Type type) {
            return Optional.of(protocol.type(type.name()).origin());
        } else if (target instanceof Target.Constant constant) {
            return constant(protocol, constant.name());
        } else if (target instanceof Target.Version version) {
            return program(protocol, version.program());
        } else {
            return program(protocol, ((Target.Procedure) target).program());
        }
    }

    private static Optional<Span> constant(Protocol protocol, String name) {
        Stream<Span> constants = protocol.constants().stream()
                .filter(constant -> constant.name().equals(name))
                .map(Constant::origin);
        Stream<Span> enums = protocol.types().values().stream()
                .filter(type -> type instanceof TypeDefinition.Enumeration enumeration
                        && enumeration
                                .withAliases()
                                .anyMatch(each -> each.name().equals(name)))
                .map(TypeDefinition::origin);
        return Stream.concat(constants, enums).findFirst();
    }

    private static Optional<Span> program(Protocol protocol, String name) {
        return protocol.programs().stream()
                .filter(program -> program.name().equals(name))
                .map(Program::origin)
                .findFirst();
    }
}
