// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol.Constant;
import org.emplace.compiler.model.TypeDefinition.Enumeration;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.source.Span;

/**
 * E220: javac accepts the class of every definition. E225: file systems accept the name of its file. A method's parameters, and so a record's
 * components, fill at most 255 slots, and a method's code at most 65535 bytes (JVM specification, sections 4.3.3 and 4.7.3). Where javac's own stack
 * is the first limit, ours leaves a margin.
 */
public final class JavaLimits {

    /** One of the 255 slots is for the receiver. */
    private static final int MOST_SLOTS = 254;

    /** Each takes up to 19 bytes in the method that creates them all. */
    private static final int MOST_ENUMERATORS = 3000;

    /** Each takes up to three of the 65535 entries of a class's constant pool. */
    private static final int MOST_CONSTANTS = 20_000;

    private static final int MOST_CASES = 400;
    private static final int MOST_PROCEDURES = 600;

    /** The limit of 255 bytes, without {@code .class} and the suffixes of classes that javac makes itself. */
    private static final int LONGEST_NAME = 247;

    private final JavaModel model;
    private final Diagnostics diagnostics;

    private JavaLimits(JavaModel model, Diagnostics diagnostics) {
        this.model = model;
        this.diagnostics = diagnostics;
    }

    /** Reports every definition that is too large for Java. */
    public static void check(JavaModel model, Diagnostics diagnostics) {
        JavaLimits limits = new JavaLimits(model, diagnostics);
        limits.numbers();
        if (!diagnostics.hasErrors()) {
            limits.classes();
        }
    }

    private void numbers() {
        List<Constant> constants = model.protocol().constants();
        if (constants.size() > MOST_CONSTANTS) {
            Constant first = constants.get(MOST_CONSTANTS);
            report(
                    first.origin(),
                    "there are " + constants.size() + " constants, but " + most(MOST_CONSTANTS),
                    "remove unused constants, or compile some of the files into another package");
        }
        for (TypeDefinition type : model.protocol().types().values()) {
            if (type instanceof Enumeration enumeration
                    && enumeration.enumerators().size() > MOST_ENUMERATORS) {
                report(
                        type.origin(),
                        "`" + type.name() + "` has " + enumeration.enumerators().size() + " enumerators, but "
                                + most(MOST_ENUMERATORS),
                        "make it an int, and its enumerators constants: the encoding stays the same");
            }
        }
    }

    private void classes() {
        for (JavaClass each : model.classes()) {
            Span origin = each.definition().origin();
            String name = each.definition().name();
            fileName(origin, name, each.name());
            if (each instanceof JavaClass.OpenEnumeration enumeration) {
                fileName(origin, name, enumeration.unknown());
            } else if (each instanceof JavaClass.Structure structure) {
                components(origin, name, structure.components());
            } else if (each instanceof JavaClass.Union union) {
                arms(origin, name, union);
            }
        }
        model.programs().forEach(this::procedures);
    }

    private void components(Span origin, String name, List<Component> components) {
        int slots = slots(components);
        if (slots > MOST_SLOTS) {
            report(
                    origin,
                    "`" + name + "` needs " + slots + " parameter slots (a member of 64 bits takes two), but "
                            + most(MOST_SLOTS),
                    "move some of them into a struct that is a member: the encoding stays the same");
        }
    }

    private void arms(Span origin, String name, JavaClass.Union union) {
        union.arms().forEach(arm -> fileName(origin, name, arm.name()));
        int cases = union.definition().arms().stream()
                .mapToInt(arm -> arm.cases().size())
                .sum();
        if (cases > MOST_CASES) {
            report(
                    origin,
                    "`" + name + "` has " + cases + " cases, but " + most(MOST_CASES),
                    "make the arms without data the default");
        }
    }

    private void procedures(RemoteProgram program) {
        Program.Version version = program.version();
        fileName(version.origin(), version.name(), program.asyncServer());
        if (program.procedures().size() > MOST_PROCEDURES) {
            report(
                    version.origin(),
                    "`" + version.name() + "` has " + program.procedures().size() + " procedures, but "
                            + most(MOST_PROCEDURES),
                    "remove procedures that are not called, or move some to another version");
        }
        program.operations().forEach(this::operations);
        for (RemoteProcedure procedure : program.procedures()) {
            Program.Procedure definition = procedure.procedure();
            Stream.of(procedure.argumentRecord(), procedure.destinationsRecord())
                    .flatMap(Optional::stream)
                    .forEach(name -> fileName(definition.origin(), definition.name(), name));
            int destinations = procedure.destinations().size();
            boolean isRecord = procedure.destinationsRecord().isPresent();
            // A record of destinations is one parameter of the methods, and has a constructor of its own.
            int ofMethods = slots(procedure.parameters()) + (isRecord ? 1 : destinations) + 1;
            int slots = isRecord ? Math.max(ofMethods, destinations) : ofMethods;
            if (slots > MOST_SLOTS) {
                report(
                        definition.origin(),
                        "`" + definition.name() + "` needs " + slots
                                + " parameter slots (an argument of 64 bits takes two), but " + most(MOST_SLOTS),
                        "make its arguments a struct: the encoding stays the same");
            }
        }
    }

    private void operations(RemoteOperations operations) {
        Program.Procedure procedure = operations.procedure().procedure();
        fileName(procedure.origin(), procedure.name(), operations.server());
        for (RemoteOperations.Operation each : operations.operations()) {
            int slots = slots(each.parameters()) + each.destinations().size();
            if (slots > MOST_SLOTS) {
                report(
                        procedure.origin(),
                        "`" + each.label() + "` needs " + slots
                                + " parameter slots (an argument of 64 bits takes two), but " + most(MOST_SLOTS),
                        "make fewer of its results eligible");
            }
        }
    }

    private static int slots(List<Component> components) {
        return components.stream()
                .mapToInt(each -> each.type() instanceof JavaType.Scalar scalar ? scalar.slots() : 1)
                .sum();
    }

    private static String most(int number) {
        return "Java allows " + number;
    }

    private void fileName(Span origin, String name, JavaName type) {
        String file = type.fileName();
        if (file.length() > LONGEST_NAME) {
            diagnostics.report(Diagnostic.error(
                            "E225",
                            origin,
                            "the name of the class file for `" + name + "` would have " + file.length()
                                    + " characters; the limit is " + LONGEST_NAME)
                    .hint("set a shorter Java name with the clause name"));
        }
    }

    private void report(Span origin, String message, String hint) {
        diagnostics.report(Diagnostic.error("E220", origin, message).hint(hint));
    }
}
