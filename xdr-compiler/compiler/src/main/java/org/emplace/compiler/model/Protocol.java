// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.emplace.compiler.model.TypeDefinition.Arm;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.compiler.model.XdrType.Reference;
import org.emplace.compiler.source.Span;

/**
 * All linked files of a run.
 *
 * @param constants in order of definition
 * @param types by XDR name, in order of definition; types that are declared where they are used are called {@code HOLDER.MEMBER}
 * @param programs in order of definition
 * @param imports the files whose definitions have classes already
 */
public record Protocol(
        List<Constant> constants, Map<String, TypeDefinition> types, List<Program> programs, Imports imports) {

    /** This protocol without the constants and programs of imports, which it does not need once all clauses are resolved. Types of imports stay. */
    public Protocol own() {
        return new Protocol(
                constants.stream()
                        .filter(constant -> !imports.has(constant.origin()))
                        .toList(),
                types,
                programs.stream()
                        .filter(program -> !imports.has(program.origin()))
                        .toList(),
                imports);
    }

    /** What a type is when typedefs are followed: a reference to another definition, or no reference; never one to a {@link TypeDefinition.Typedef}. */
    public XdrType resolve(XdrType type) {
        XdrType at = type;
        while (at instanceof Reference reference
                && types.get(reference.name()) instanceof TypeDefinition.Typedef typedef) {
            at = typedef.target();
        }
        return at;
    }

    /** The names of all constants and enumerators, which share one scope. */
    public Stream<String> constantNames() {
        return Stream.concat(
                constants.stream().map(Constant::name),
                types.values().stream()
                        .filter(TypeDefinition.Enumeration.class::isInstance)
                        .map(TypeDefinition.Enumeration.class::cast)
                        .flatMap(TypeDefinition.Enumeration::withAliases)
                        .map(TypeDefinition.Enumerator::name));
    }

    /** The definition of a type. */
    public TypeDefinition type(String name) {
        TypeDefinition definition = types.get(name);
        if (definition == null) {
            throw new IllegalArgumentException("no type " + name + " in this protocol");
        }
        return definition;
    }

    /** The definition behind typedefs; empty for a type without a name. */
    public Optional<TypeDefinition> definition(XdrType type) {
        return resolve(type) instanceof Reference reference ? Optional.of(type(reference.name())) : Optional.empty();
    }

    /** The definition behind typedefs, optional-data and arrays; empty for primitive types. */
    public Optional<TypeDefinition> within(XdrType type) {
        XdrType at = resolve(type);
        if (at instanceof XdrType.Optional optional) {
            return within(optional.element());
        }
        return at instanceof XdrType.Array array ? within(array.element()) : definition(at);
    }

    /** Whether a type is bytes or an array of numbers, which differs between memory and message only in the order of bytes. */
    public boolean isBytes(XdrType type) {
        XdrType resolved = resolve(type);
        return resolved instanceof XdrType.Bytes
                || (resolved instanceof XdrType.Array array
                        && resolve(array.element()) instanceof Primitive primitive
                        && primitive.isNumber());
    }

    /** The member of a union that has the same encoding as optional-data: a value for TRUE, void for FALSE (RFC 4506 section 4.19). */
    public Optional<Field> optionalMember(Union union) {
        if (resolve(union.discriminant().type()) != Primitive.BOOL) {
            return Optional.empty();
        }
        boolean isVoidWhenFalse =
                union.arm(0).isPresent() && union.arm(0).flatMap(Arm::field).isEmpty();
        return isVoidWhenFalse ? union.arm(1).flatMap(Arm::field) : Optional.empty();
    }

    /**
     * The member that links a struct to the next element of a list (RFC 4506 section 4.19): its only member that is optional-data of the same struct.
     * A struct that contains itself in another way too, such as the node of a tree, has none. Depends only on the struct's own definition.
     *
     * @return the position of the member
     */
    public OptionalInt link(Structure structure) {
        Reference itself = new Reference(structure.name());
        OptionalInt link = OptionalInt.empty();
        for (int i = 0; i < structure.fields().size(); i++) {
            XdrType type = structure.fields().get(i).type();
            if (optionalElement(type).equals(Optional.of(itself))) {
                if (link.isPresent()) {
                    return OptionalInt.empty();
                }
                link = OptionalInt.of(i);
            } else if (holds(type, itself)) {
                return OptionalInt.empty();
            }
        }
        return link;
    }

    /** The link of a definition, if it is a struct that has one. */
    public OptionalInt link(TypeDefinition definition) {
        return definition instanceof Structure structure ? link(structure) : OptionalInt.empty();
    }

    /** The members of a definition, except the link of a struct that has one. */
    public List<Field> withoutLink(TypeDefinition definition) {
        List<Field> members = new ArrayList<>(definition.members());
        link(definition).ifPresent(members::remove);
        return members;
    }

    /** The element of optional-data; empty for other types. */
    private Optional<XdrType> optionalElement(XdrType type) {
        XdrType resolved = resolve(type);
        if (resolved instanceof XdrType.Optional optional) {
            return Optional.of(resolve(optional.element()));
        }
        if (resolved instanceof Reference reference && type(reference.name()) instanceof Union union) {
            return optionalMember(union).map(member -> resolve(member.type()));
        }
        return Optional.empty();
    }

    private boolean holds(XdrType type, Reference struct) {
        XdrType resolved = resolve(type);
        if (resolved instanceof XdrType.Optional optional) {
            return holds(optional.element(), struct);
        } else if (resolved instanceof XdrType.Array array) {
            return holds(array.element(), struct);
        }
        return resolved.equals(struct);
    }

    /** A {@code const} definition. */
    public record Constant(String name, BigInteger value, String documentation, Span origin) {}
}
