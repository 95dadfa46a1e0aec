// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.emplace.compiler.compare.Comparison.Change.Effect;
import org.emplace.compiler.compare.Comparison.Change;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;

/** Compares programs, versions and procedures by their numbers, which identify them to peers. */
record ProgramComparison(JavaModel before, JavaModel after, Encodings encodings, Collection<Change> changes) {

    private static final String SAME_NUMBER = "the number on the wire is the same";

    /** A version in its program. Several programs may have one number, if their versions have different ones. */
    private record Placed(Program program, Program.Version version) {
        boolean isSame(Placed other) {
            return program.number() == other.program.number() && version.number() == other.version.number();
        }
    }

    void compare() {
        List<Program> old = before.protocol().programs();
        List<Program> now = after.protocol().programs();
        old.stream()
                .filter(program -> !hasNumberOf(program, now))
                .forEach(program -> change(
                        Effect.WIRE_BREAKING,
                        program.name(),
                        "program " + program.number() + " removed",
                        "its calls are answered with PROG_UNAVAIL"));
        now.stream()
                .filter(program -> !hasNumberOf(program, old))
                .forEach(program -> change(
                        Effect.COMPATIBLE, program.name(), "program added", "an old server answers PROG_UNAVAIL"));
        versions(placed(old, now), placed(now, old));
    }

    private static boolean hasNumberOf(Program program, List<Program> others) {
        return others.stream().anyMatch(other -> other.number() == program.number());
    }

    /** The versions of the programs whose numbers the other side has too. */
    private static List<Placed> placed(List<Program> programs, List<Program> others) {
        return programs.stream()
                .filter(program -> hasNumberOf(program, others))
                .flatMap(program -> program.versions().stream().map(version -> new Placed(program, version)))
                .toList();
    }

    private void versions(List<Placed> old, List<Placed> now) {
        for (Placed each : old) {
            Program.Version version = each.version();
            Optional<Placed> other = now.stream().filter(each::isSame).findFirst();
            if (other.isEmpty()) {
                change(
                        Effect.WIRE_BREAKING,
                        version.name(),
                        "version " + version.number() + " removed",
                        "its calls are answered with PROG_MISMATCH");
            } else {
                Program program = other.get().program();
                renamed(
                        each.program().name(),
                        program.name(),
                        after.protocol().programs().stream()
                                .filter(one -> one.number() != program.number())
                                .map(Program::name));
                renamed(
                        version.name(),
                        other.get().version().name(),
                        program.versions().stream().map(Program.Version::name));
                procedures(version, other.get().version());
                new BindingComparison(before, after, changes)
                        .compare(
                                each.program(),
                                version,
                                other.get().program(),
                                other.get().version());
            }
        }
        now.stream()
                .filter(each -> old.stream().noneMatch(each::isSame))
                .forEach(each -> change(
                        Effect.COMPATIBLE,
                        each.version().name(),
                        "version added",
                        "an old server answers PROG_MISMATCH, with the versions that it has"));
    }

    private void procedures(Program.Version old, Program.Version now) {
        for (Program.Procedure procedure : old.procedures()) {
            Optional<Program.Procedure> other = now.procedures().stream()
                    .filter(each -> each.number() == procedure.number())
                    .findFirst();
            if (other.isEmpty()) {
                change(
                        Effect.WIRE_BREAKING,
                        procedure.name(),
                        "procedure " + procedure.number() + " removed",
                        "its calls are answered with PROC_UNAVAIL");
            } else {
                renamed(
                        procedure.name(),
                        other.get().name(),
                        now.procedures().stream().map(Program.Procedure::name));
                messages(procedure, other.get());
            }
        }
        now.procedures().stream()
                .filter(procedure -> old.procedures().stream().noneMatch(each -> each.number() == procedure.number()))
                .forEach(procedure -> change(
                        Effect.COMPATIBLE,
                        procedure.name(),
                        "procedure " + procedure.number() + " added",
                        "an old server answers PROC_UNAVAIL, and so does one that does not implement it"));
    }

    private void messages(Program.Procedure old, Program.Procedure now) {
        List<XdrType> arguments = old.arguments();
        if (arguments.size() != now.arguments().size() || areRegrouped(arguments, now.arguments())) {
            regrouped(old, now);
        } else {
            for (int i = 0; i < arguments.size(); i++) {
                type(old.name(), "argument", arguments.get(i), now.arguments().get(i));
                argument(old, now, i);
            }
        }
        type(old.name(), "result", old.result(), now.result());
    }

    /** Whether as many arguments are the same values in other structs. */
    private boolean areRegrouped(List<XdrType> old, List<XdrType> now) {
        return encodings.areAlike(old, now)
                && IntStream.range(0, old.size())
                        .anyMatch(i ->
                                encodings.difference(old.get(i), now.get(i)).isPresent());
    }

    /** Arguments of another number, or in other structs. */
    private void regrouped(Program.Procedure old, Program.Procedure now) {
        String what = old.arguments().size() == now.arguments().size()
                ? "arguments regrouped"
                : "number of arguments was " + old.arguments().size() + ", is "
                        + now.arguments().size();
        Optional<Encodings.Difference> difference = encodings.difference(old.arguments(), now.arguments());
        Optional<String> moved =
                MovedNames.regrouped(before.protocol(), arguments(old), after.protocol(), arguments(now));
        if (difference.isPresent()) {
            change(
                    Effect.WIRE_BREAKING,
                    old.name(),
                    what + difference.get().what(),
                    difference.get().why());
        } else if (moved.isPresent()) {
            change(
                    Effect.WIRE_BREAKING,
                    old.name(),
                    what + ", in which " + moved.get() + " is elsewhere",
                    MovedNames.WHY);
        } else {
            change(Effect.COMPATIBLE, old.name(), what + ", encoded alike", Encodings.NAMES);
        }
    }

    private static List<TypeDefinition.Field> arguments(Program.Procedure procedure) {
        return IntStream.range(0, procedure.arguments().size())
                .mapToObj(i -> new TypeDefinition.Field(
                        procedure.argumentNames().get(i), procedure.arguments().get(i), "", procedure.origin()))
                .toList();
    }

    /** The names of arguments are only those of parameters, unless one is now the name of another argument. */
    private void argument(Program.Procedure old, Program.Procedure now, int place) {
        String name = old.argumentNames().get(place);
        int other = now.argumentNames().indexOf(name);
        if (other >= 0 && other != place) {
            change(
                    Effect.WIRE_BREAKING,
                    old.name(),
                    "argument " + name + " is now number " + (other + 1) + " instead of " + (place + 1),
                    MovedNames.WHY);
        }
    }

    private void type(String procedure, String what, XdrType old, XdrType now) {
        Optional<Encodings.Difference> difference = encodings.difference(old, now);
        difference.ifPresent(each -> change(Effect.WIRE_BREAKING, procedure, what + ": " + each.what(), each.why()));
        if (difference.isEmpty()) {
            encodings.encodedAlike(procedure, what + ": ", old, now).ifPresent(changes::add);
        }
    }

    /**
     * The other name of a number.
     *
     * @param others the names of all numbers on the new side; if the old name is among them, it is that of another number
     */
    private void renamed(String old, String now, Stream<String> others) {
        if (!old.equals(now)) {
            boolean isMoved = others.anyMatch(old::equals);
            change(
                    isMoved ? Effect.WIRE_BREAKING : Effect.COMPATIBLE,
                    old,
                    isMoved ? "is now the name of another number, and this one is " + now : "renamed to " + now,
                    isMoved ? "old and new peers mean different things by the same number" : SAME_NUMBER);
        }
    }

    private void change(Effect effect, String where, String what, String why) {
        changes.add(new Change(effect, where, what, why));
    }
}
