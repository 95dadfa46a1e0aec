// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.Declaration;
import org.emplace.compiler.syntax.Definition;
import org.emplace.compiler.syntax.Name;
import org.emplace.compiler.syntax.Value;

/**
 * Pass 5: links programs. Names of programs are unique in a run, names of versions in a program, and names of procedures in a version. Two programs
 * may have the same number, as portmap and rpcbind do, but then not versions of the same number.
 */
record ProgramLinker(TypeLinker types, Values values, ClauseCollector clauses, Diagnostics diagnostics) {

    List<Program> link(List<Definition> definitions) {
        Unique<String> names = new Unique<>(diagnostics);
        Map<Long, Unique<Long>> versionNumbers = new HashMap<>();
        List<Program> programs = new ArrayList<>();
        for (Definition definition : definitions) {
            if (definition instanceof Definition.Program program) {
                boolean isOnly = uniqueName(names, "program", program.name());
                if (!isOnly) {
                    program.versions().forEach(version -> clauses.markInError(target(program, version)));
                }
                long number = number("program", program.number()).orElse(0L);
                Unique<Long> numbers = isOnly
                        ? versionNumbers.computeIfAbsent(number, any -> new Unique<>(diagnostics))
                        : new Unique<>(diagnostics);
                programs.add(new Program(
                        program.name().text(),
                        number,
                        versions(program, numbers),
                        program.documentation(),
                        program.name().span()));
            }
        }
        return List.copyOf(programs);
    }

    private List<Program.Version> versions(Definition.Program program, Unique<Long> numbers) {
        Unique<String> names = new Unique<>(diagnostics);
        List<Program.Version> versions = new ArrayList<>();
        for (Definition.Version version : program.versions()) {
            Target.Version target = target(program, version);
            clauses.place(target, version.clauses());
            long number = clauses.link(target, () -> {
                uniqueName(names, "version", version.name());
                return uniqueNumber(numbers, "version", "program", version.number());
            });
            versions.add(new Program.Version(
                    version.name().text(),
                    number,
                    procedures(program, version),
                    version.documentation(),
                    version.name().span()));
        }
        return List.copyOf(versions);
    }

    private List<Program.Procedure> procedures(Definition.Program program, Definition.Version version) {
        Unique<String> names = new Unique<>(diagnostics);
        Unique<Long> numbers = new Unique<>(diagnostics);
        List<Program.Procedure> procedures = new ArrayList<>();
        for (Definition.Procedure procedure : version.procedures()) {
            Target.Procedure target = new Target.Procedure(
                    program.name().text(),
                    version.name().text(),
                    procedure.name().text());
            clauses.place(target, procedure.clauses());
            procedures.add(clauses.link(target, () -> {
                uniqueName(names, "procedure", procedure.name());
                return procedure(procedure, uniqueNumber(numbers, "procedure", "version", procedure.number()));
            }));
        }
        return List.copyOf(procedures);
    }

    private Program.Procedure procedure(Definition.Procedure procedure, long number) {
        return new Program.Procedure(
                procedure.name().text(),
                number,
                arguments(procedure.arguments()),
                procedure.arguments().stream()
                        .filter(argument -> !argument.isVoid())
                        .map(argument -> argument.name().text())
                        .toList(),
                types.parameter(procedure.result()),
                procedure.documentation(),
                procedure.name().span());
    }

    private static Target.Version target(Definition.Program program, Definition.Version version) {
        return new Target.Version(program.name().text(), version.name().text());
    }

    private static boolean uniqueName(Unique<String> names, String what, Name name) {
        return names.add(name.text(), name.span(), first -> Repetitions.error(what, name, first));
    }

    private long uniqueNumber(Unique<Long> numbers, String what, String holder, Value value) {
        Optional<Long> number = number(what, value);
        number.ifPresent(each -> numbers.add(
                each,
                value.span(),
                first -> Diagnostic.error(
                                "E212",
                                value.span(),
                                "another " + what + " of the " + holder + " already has the number " + each)
                        .note(first, "first used here")));
        return number.orElse(0L);
    }

    private Optional<Long> number(String what, Value value) {
        return values.within(value, 0, XdrType.UNBOUNDED, "the number of a " + what)
                .map(Number::longValue);
    }

    private List<XdrType> arguments(List<Declaration> arguments) {
        Unique<String> names = new Unique<>(diagnostics);
        List<XdrType> linked = new ArrayList<>();
        for (Declaration argument : arguments) {
            if (!argument.isVoid()) {
                uniqueName(names, "argument", argument.name());
                linked.add(types.parameter(argument));
            } else if (arguments.size() > 1) {
                diagnostics.report(
                        Diagnostic.error("E214", argument.type().span(), "void cannot be one of several arguments"));
            }
        }
        return List.copyOf(linked);
    }

    /** Finds names or numbers that occur twice in a scope. */
    private record Unique<T>(Diagnostics diagnostics, Map<T, Span> seen) {

        Unique(Diagnostics diagnostics) {
            this(diagnostics, new HashMap<>());
        }

        /** Adds a name or number. If it occurs twice, reports that and returns false. */
        boolean add(T key, Span span, Function<Span, Diagnostic> error) {
            Span first = seen.putIfAbsent(key, span);
            if (first != null) {
                diagnostics.report(error.apply(first));
            }
            return first == null;
        }
    }
}
