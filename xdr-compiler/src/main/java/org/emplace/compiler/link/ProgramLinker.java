// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.Definition;
import org.emplace.compiler.syntax.Name;
import org.emplace.compiler.syntax.TypeSyntax;
import org.emplace.compiler.syntax.Value;

/** Pass 4: programs, whose names and numbers are unique in the run, as those of versions are in a program and those of procedures in a version. */
record ProgramLinker(TypeLinker types, Values values, ClauseCollector clauses, Diagnostics diagnostics) {

    List<Program> link(List<Definition> definitions) {
        Unique unique = new Unique("program", diagnostics);
        List<Program> programs = new ArrayList<>();
        for (Definition definition : definitions) {
            if (definition instanceof Definition.Program program) {
                programs.add(new Program(
                        program.name().text(),
                        unique.number(program.name(), program.number(), values),
                        versions(program),
                        program.documentation(),
                        Origins.of(program.name())));
            }
        }
        return List.copyOf(programs);
    }

    private List<Program.Version> versions(Definition.Program program) {
        Unique unique = new Unique("version", diagnostics);
        List<Program.Version> versions = new ArrayList<>();
        for (Definition.Version version : program.versions()) {
            clauses.place(
                    new Target.Version(program.name().text(), version.name().text()), version.clauses());
            versions.add(new Program.Version(
                    version.name().text(),
                    unique.number(version.name(), version.number(), values),
                    procedures(program, version),
                    version.documentation(),
                    Origins.of(version.name())));
        }
        return List.copyOf(versions);
    }

    private List<Program.Procedure> procedures(Definition.Program program, Definition.Version version) {
        Unique unique = new Unique("procedure", diagnostics);
        List<Program.Procedure> procedures = new ArrayList<>();
        for (Definition.Procedure procedure : version.procedures()) {
            String name = procedure.name().text();
            clauses.place(
                    new Target.Procedure(program.name().text(), version.name().text(), name), procedure.clauses());
            procedures.add(new Program.Procedure(
                    name,
                    unique.number(procedure.name(), procedure.number(), values),
                    arguments(procedure.arguments()),
                    types.parameter(procedure.result()),
                    procedure.documentation(),
                    Origins.of(procedure.name())));
        }
        return List.copyOf(procedures);
    }

    private List<XdrType> arguments(List<TypeSyntax> arguments) {
        List<XdrType> linked = new ArrayList<>();
        for (TypeSyntax argument : arguments) {
            boolean isVoid = argument instanceof TypeSyntax.Builtin builtin
                    && builtin.keyword() == TypeSyntax.Keyword.VOID;
            if (!isVoid) {
                linked.add(types.parameter(argument));
            } else if (arguments.size() > 1) {
                diagnostics.report(
                        Diagnostic.error("E214", argument.span(), "void cannot be one of several arguments"));
            }
        }
        return List.copyOf(linked);
    }

    /** Watches over the names and numbers of one scope. */
    private record Unique(
            String what, Diagnostics diagnostics, Map<String, Span> names, Map<BigInteger, Span> numbers) {

        Unique(String what, Diagnostics diagnostics) {
            this(what, diagnostics, new HashMap<>(), new HashMap<>());
        }

        long number(Name name, Value value, Values values) {
            Span firstName = names.putIfAbsent(name.text(), name.span());
            if (firstName != null) {
                diagnostics.report(Duplicates.of(what, name, firstName));
            }
            return values.within(value, 0, XdrType.UNBOUNDED, "the number of a " + what)
                    .map(number -> {
                        Span first = numbers.putIfAbsent(number, value.span());
                        if (first != null && firstName == null) {
                            diagnostics.report(Diagnostic.error(
                                            "E212", value.span(), "another " + what + " has the number " + number)
                                    .note(first, "that one"));
                        }
                        return number.longValue();
                    })
                    .orElse(0L);
        }
    }
}
