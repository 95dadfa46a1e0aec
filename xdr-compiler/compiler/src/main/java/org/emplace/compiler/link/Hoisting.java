// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.syntax.Declaration;
import org.emplace.compiler.syntax.Definition;
import org.emplace.compiler.syntax.Name;
import org.emplace.compiler.syntax.TypeSyntax;

/**
 * Pass 2: makes a definition of each type that is declared where it is used. It precedes the definition that holds it, and its name is {@code
 * holder.member}, which no name in a file can equal. A typedef of such a type is its definition.
 */
final class Hoisting {

    private final List<Definition> flat = new ArrayList<>();

    private Hoisting() {}

    static List<Definition> flatten(List<Definition> definitions) {
        Hoisting hoisting = new Hoisting();
        definitions.forEach(definition -> hoisting.flat.add(hoisting.definition(definition)));
        return hoisting.flat;
    }

    private Definition definition(Definition definition) {
        if (definition instanceof Definition.Typedef typedef) {
            return typedef(typedef.declaration());
        } else if (definition instanceof Definition.Type type) {
            return new Definition.Type(
                    type.name(), body(type.name().text(), type.body()), type.clauses(), type.documentation());
        } else if (definition instanceof Definition.Program program) {
            return new Definition.Program(
                    program.name(),
                    program.number(),
                    program.versions().stream()
                            .map(version -> version(program.name().text(), version))
                            .toList(),
                    program.documentation());
        } else {
            return definition;
        }
    }

    private Definition typedef(Declaration declaration) {
        String name = declaration.name().text();
        if (isAnonymous(declaration.type()) && declaration.shape() instanceof Declaration.Shape.Plain) {
            return new Definition.Type(
                    declaration.name(),
                    body(name, declaration.type()),
                    declaration.clauses(),
                    declaration.documentation());
        }
        return new Definition.Typedef(new Declaration(
                named(name + ".element", declaration.type()),
                declaration.shape(),
                declaration.name(),
                declaration.clauses(),
                declaration.documentation()));
    }

    private Definition.Version version(String program, Definition.Version version) {
        String name = program + "." + version.name().text();
        return new Definition.Version(
                version.name(),
                version.number(),
                version.procedures().stream()
                        .map(procedure -> procedure(name, procedure))
                        .toList(),
                version.clauses(),
                version.documentation());
    }

    private Definition.Procedure procedure(String version, Definition.Procedure procedure) {
        String name = version + "." + procedure.name().text();
        return new Definition.Procedure(
                procedure.name(),
                procedure.number(),
                member(name, procedure.result()),
                procedure.arguments().stream()
                        .map(argument -> member(name, argument))
                        .toList(),
                procedure.clauses(),
                procedure.documentation());
    }

    private TypeSyntax body(String holder, TypeSyntax body) {
        if (body instanceof TypeSyntax.Structure struct) {
            return new TypeSyntax.Structure(
                    struct.members().stream()
                            .map(member -> member(holder, member))
                            .toList(),
                    struct.span());
        } else if (body instanceof TypeSyntax.Union union) {
            List<TypeSyntax.Arm> arms = union.arms().stream()
                    .map(arm -> new TypeSyntax.Arm(arm.cases(), member(holder, arm.body())))
                    .toList();
            Optional<Declaration> defaultArm = union.defaultArm().map(arm -> member(holder, arm));
            return new TypeSyntax.Union(member(holder, union.discriminant()), arms, defaultArm, union.span());
        } else {
            return body;
        }
    }

    private Declaration member(String holder, Declaration member) {
        return new Declaration(
                named(holder + "." + member.name().text(), member.type()),
                member.shape(),
                member.name(),
                member.clauses(),
                member.documentation());
    }

    /** A reference to a type. An anonymous type gets this name. */
    private TypeSyntax named(String name, TypeSyntax type) {
        if (!isAnonymous(type)) {
            return type;
        }
        Name given = new Name(name, type.span());
        flat.add(new Definition.Type(given, body(name, type), List.of(), ""));
        return new TypeSyntax.Named(given, TypeSyntax.Tag.ANY);
    }

    private static boolean isAnonymous(TypeSyntax type) {
        return type instanceof TypeSyntax.Structure
                || type instanceof TypeSyntax.Union
                || type instanceof TypeSyntax.Enumeration;
    }
}
