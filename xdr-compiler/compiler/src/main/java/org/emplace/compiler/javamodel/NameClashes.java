// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.source.Span;

/**
 * E226: no two names in a scope are the same in Java. Each Java name depends only on its own definition, so that additions change no existing name.
 * If two names become equal, a clause must distinguish them.
 */
public final class NameClashes {

    /** A named definition or member, and where it is. */
    private record Named(String xdrName, Span place) {}

    private record Taken(String javaName, Named named) {}

    /** The names of one scope. */
    private final class Scope {
        private final Map<String, Taken> taken = new HashMap<>();

        /** A method, field or component. */
        void add(String javaName, Named named) {
            add(javaName, new Taken(javaName, named));
        }

        /** Adds a class. Classes are files, so names that differ only in case clash: some file systems ignore it. */
        void addClass(JavaName javaName, Named named) {
            add(javaName.fileName().toLowerCase(Locale.ROOT), new Taken(javaName.simpleName(), named));
        }

        private void add(String key, Taken added) {
            Taken first = taken.putIfAbsent(key, added);
            if (first != null && reported.add(List.of(first.named(), added.named()))) {
                report(first, added);
            }
        }
    }

    private final JavaModel model;
    private final Diagnostics diagnostics;

    /** Reported pairs. Two procedures share clashes of methods, constants and records, which are one error. */
    private final Set<List<Named>> reported = new HashSet<>();

    /** All classes, including nested ones: types that are declared in a union are beside its arms. */
    private final Scope classes = new Scope();

    private NameClashes(JavaModel model, Diagnostics diagnostics) {
        this.model = model;
        this.diagnostics = diagnostics;
    }

    /** Reports every Java name that two definitions have. */
    public static void check(JavaModel model, Diagnostics diagnostics) {
        NameClashes clashes = new NameClashes(model, diagnostics);
        clashes.classes();
        clashes.constants();
        model.classes().forEach(clashes::members);
        model.programs().forEach(clashes::procedures);
    }

    private void classes() {
        model.classes().forEach(each -> classes.addClass(each.name(), named(each.definition())));
        for (RemoteProgram program : model.programs()) {
            Named version =
                    new Named(program.version().name(), program.version().origin());
            program.classes().forEach(name -> classes.addClass(name, version));
            for (RemoteOperations operations : program.operations()) {
                Named procedure = named(operations.procedure());
                classes.addClass(operations.call(), procedure);
                classes.addClass(operations.server(), procedure);
            }
        }
    }

    private void constants() {
        Scope scope = new Scope();
        model.protocol()
                .constants()
                .forEach(each -> scope.add(model.constant(each), new Named(each.name(), each.origin())));
    }

    private void members(JavaClass type) {
        if (type instanceof JavaClass.Enumerated enumeration) {
            constants(enumeration);
        } else if (type instanceof JavaClass.Structure structure) {
            Scope scope = new Scope();
            for (Component each : structure.components()) {
                scope.add(each.name(), member(type, each));
                scope.add(each.wither(), member(type, each));
            }
        } else if (type instanceof JavaClass.Union union) {
            arms(union);
        }
    }

    private void constants(JavaClass.Enumerated enumeration) {
        Scope scope = new Scope();
        Span origin = enumeration.definition().origin();
        for (TypeDefinition.Enumerator each : enumeration.definition().enumerators()) {
            scope.add(enumeration.constants().getOrDefault(each.value(), each.name()), new Named(each.name(), origin));
        }
        enumeration.aliases().forEach((name, alias) -> scope.add(name, new Named(alias.name(), origin)));
    }

    private void arms(JavaClass.Union union) {
        Scope methods = new Scope();
        for (UnionArm arm : union.arms()) {
            String label = arm.isDefault() ? "default" : arm.cases().get(0).label();
            Named named = arm(union, arm, label);
            classes.addClass(arm.name(), named);
            methods.add(arm.method(), named);
        }
    }

    private void procedures(RemoteProgram program) {
        Scope methods = new Scope();
        Scope members = new Scope();
        // In the program's class, a constant would hide a class of the same name.
        model.allClasses().stream()
                .filter(each -> each.name().holder().isEmpty())
                .forEach(each -> members.add(each.name().simpleName(), named(each.definition())));
        for (RemoteProcedure each : program.procedures()) {
            Named procedure = named(each);
            methods.add(each.method(), procedure);
            methods.add(each.asyncMethod(), procedure);
            members.add(each.constant(), procedure);
            each.argumentRecord().ifPresent(name -> classes.addClass(name, procedure));
            each.destinationsRecord().ifPresent(name -> classes.addClass(name, procedure));
        }
        program.operations().forEach(this::operations);
    }

    /** Adds the labels of arms, because each is the name of a method. */
    private void operations(RemoteOperations operations) {
        Scope methods = new Scope();
        operations
                .operations()
                .forEach(each -> methods.add(each.method(), arm(operations.argument(), each.argument(), each.label())));
    }

    private static Named named(RemoteProcedure procedure) {
        return new Named(procedure.procedure().name(), procedure.procedure().origin());
    }

    private static Named arm(JavaClass.Union union, UnionArm arm, String label) {
        return new Named(
                union.definition().name() + "." + label,
                arm.value()
                        .map(value -> value.field().origin())
                        .orElse(union.definition().origin()));
    }

    private static Named member(JavaClass type, Component component) {
        return new Named(
                type.definition().name() + "." + component.field().name(),
                component.field().origin());
    }

    private static Named named(TypeDefinition definition) {
        return new Named(definition.name(), definition.origin());
    }

    private void report(Taken first, Taken second) {
        String both = "`" + first.named().xdrName() + "` and `" + second.named().xdrName() + "` would ";
        String names = first.javaName().equals(second.javaName())
                ? "both be `" + first.javaName() + "` in Java"
                : "be `" + first.javaName() + "` and `" + second.javaName()
                        + "` in Java, which are the same file if file names ignore case";
        diagnostics.report(Diagnostic.error("E226", second.named().place(), both + names)
                .note(first.named().place(), "first defined here")
                .hint("set another Java name with /*@ddp name ... */ before one of them"));
    }
}
