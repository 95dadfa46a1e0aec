// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import java.util.List;
import java.util.stream.Stream;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Constant;
import org.emplace.compiler.model.Origin;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Enumeration;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.source.Span;

/**
 * E220: no definition makes a Java class that javac refuses; E225: or one whose file no file system takes. A method's parameters, and with them a record's
 * components, fill 255 slots at most, and a method's code 65535 bytes (JVM specification, sections 4.3.3 and 4.7.3). Where javac's own stack
 * is what ends first, the limit leaves room.
 */
public final class JavaLimits {

    /** The receiver takes one of the 255. */
    private static final int MOST_SLOTS = 254;

    /** Each takes up to 19 bytes in the method that makes them all. */
    private static final int MOST_ENUMERATORS = 3000;

    /** Each takes up to three of a class's 65535 entries. */
    private static final int MOST_CONSTANTS = 20_000;

    private static final int MOST_CASES = 400;
    private static final int MOST_PROCEDURES = 600;

    /** Of 255 bytes, without {@code .class} and what javac appends for a class that it makes itself. */
    private static final int LONGEST_NAME = 247;

    private final Protocol protocol;
    private final Binding binding;
    private final Diagnostics diagnostics;

    private JavaLimits(Protocol protocol, Binding binding, Diagnostics diagnostics) {
        this.protocol = protocol;
        this.binding = binding;
        this.diagnostics = diagnostics;
    }

    /** Reports every definition that is too large for Java. */
    public static void check(Protocol protocol, Binding binding, Diagnostics diagnostics) {
        JavaLimits limits = new JavaLimits(protocol, binding, diagnostics);
        limits.numbers();
        if (!diagnostics.hasErrors()) {
            limits.classes();
        }
    }

    private void numbers() {
        List<Constant> constants = protocol.constants();
        if (constants.size() > MOST_CONSTANTS) {
            Constant first = constants.get(MOST_CONSTANTS);
            report(
                    first.origin(),
                    first.name(),
                    "there are " + constants.size() + " constants, but " + most(MOST_CONSTANTS),
                    "leave out those that nothing uses, or compile some of the files into a package of their own");
        }
        for (TypeDefinition type : protocol.types().values()) {
            if (type instanceof Enumeration enumeration
                    && enumeration.enumerators().size() > MOST_ENUMERATORS) {
                report(
                        type.origin(),
                        type.name(),
                        "`" + type.name() + "` has " + enumeration.enumerators().size() + " enumerators, but "
                                + most(MOST_ENUMERATORS),
                        "make it an int, and its enumerators constants: what is sent stays the same");
            }
        }
    }

    private void classes() {
        Shapes shapes = new Shapes(protocol);
        Names names = new Names(protocol, binding, shapes, "");
        Mappings mappings = new Mappings(protocol, binding, shapes, names);
        for (TypeDefinition type : protocol.types().values()) {
            if (type instanceof Structure structure) {
                named(type.origin(), type.name(), names.type(type.name()));
                members(structure, mappings.components(structure));
            } else if (type instanceof Enumeration) {
                named(type.origin(), type.name(), names.type(type.name()));
            } else if (type instanceof Union union && !mappings.isOptional(union)) {
                arms(union, mappings.arms(union));
            }
        }
        for (Program program : protocol.programs()) {
            for (Program.Version version : program.versions()) {
                procedures(version, RemoteProgram.of(program, version, binding, mappings, names), names);
            }
        }
    }

    private void members(Structure structure, List<Component> components) {
        int slots = slots(components.stream());
        if (slots > MOST_SLOTS) {
            report(
                    structure.origin(),
                    structure.name(),
                    "`" + structure.name() + "` has members for " + slots + " slots (one of 64 bits takes two), but "
                            + most(MOST_SLOTS),
                    "move some of them into a struct that is a member: what is sent stays the same");
        }
    }

    private void arms(Union union, List<UnionArm> arms) {
        arms.forEach(arm -> named(union.origin(), union.name(), arm.type()));
        int cases = union.arms().stream().mapToInt(arm -> arm.cases().size()).sum();
        if (arms.size() > MOST_SLOTS || cases > MOST_CASES) {
            report(
                    union.origin(),
                    union.name(),
                    "`" + union.name() + "` has " + arms.size() + " arms with " + cases + " cases, but "
                            + most(MOST_SLOTS) + ", with " + MOST_CASES,
                    "let arms that hold the same be one, and what holds nothing the default");
        }
    }

    private void procedures(Program.Version version, RemoteProgram program, Names names) {
        named(version.origin(), version.name(), names.inPackage(program.base() + "AsyncServer"));
        if (program.procedures().size() > MOST_PROCEDURES) {
            report(
                    version.origin(),
                    version.name(),
                    "`" + version.name() + "` has " + program.procedures().size() + " procedures, but "
                            + most(MOST_PROCEDURES),
                    "leave out those that nobody calls");
        }
        for (RemoteProcedure procedure : program.procedures()) {
            Program.Procedure definition = procedure.procedure();
            procedure.argumentRecord().ifPresent(name -> named(definition.origin(), definition.name(), name));
            int others = procedure.destinations().size() + 1;
            int slots = slots(procedure.parameters().stream()) + others;
            if (slots > MOST_SLOTS) {
                report(
                        definition.origin(),
                        definition.name(),
                        "`" + definition.name() + "` needs parameters for " + slots
                                + " slots (one of 64 bits takes two), but " + most(MOST_SLOTS),
                        "make its arguments a struct: what is sent stays the same");
            }
        }
    }

    private static int slots(Stream<Component> components) {
        return components
                .map(component -> component.mapping().type())
                .mapToInt(type -> type.equals(TypeName.LONG) || type.equals(TypeName.DOUBLE) ? 2 : 1)
                .sum();
    }

    private static String most(int number) {
        return "Java takes " + number;
    }

    private void named(Origin origin, String name, ClassName type) {
        String file = String.join("$", type.simpleNames());
        if (file.length() > LONGEST_NAME) {
            diagnostics.report(Diagnostic.error(
                            "E225",
                            span(origin, name),
                            "the file of a class of this would have a name of " + file.length()
                                    + " characters, more than " + LONGEST_NAME)
                    .hint("a name clause gives it a shorter one in Java"));
        }
    }

    private void report(Origin origin, String name, String message, String hint) {
        diagnostics.report(Diagnostic.error("E220", span(origin, name), message).hint(hint));
    }

    private static Span span(Origin origin, String name) {
        return new Span(origin.file(), origin.line(), origin.column(), name.length());
    }
}
