// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Arm;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.compiler.model.XdrType.Reference;

/** Which of a protocol's types have a shape of their own in Java: optional unions, linked lists, recursive types. */
final class Shapes {
    private final Protocol protocol;
    private final Set<String> linkedLists = new HashSet<>();
    private final Set<String> recursive = new HashSet<>();

    Shapes(Protocol protocol) {
        this.protocol = protocol;
        findLinkedLists();
        protocol.types().keySet().stream().filter(this::reachesItself).forEach(recursive::add);
    }

    /** Whether optional-data of this struct is a list. */
    boolean isLinkedList(String type) {
        return linkedLists.contains(type);
    }

    /** Whether values of this type can hold values of the same type. */
    boolean isRecursive(String type) {
        return recursive.contains(type);
    }

    /** The fields that a struct has in Java: all but the link of a linked list. */
    List<Field> fields(Structure structure) {
        List<Field> all = structure.fields();
        return isLinkedList(structure.name()) ? all.subList(0, all.size() - 1) : all;
    }

    /** The member of a union that is on the wire like optional-data: a value for TRUE, void for FALSE. */
    Optional<Field> optionalMember(Union union) {
        if (protocol.resolve(union.discriminant().type()) != Primitive.BOOL) {
            return Optional.empty();
        }
        boolean isVoidWhenFalse =
                (union.defaultArm().isPresent() || armOf(union, 0).isPresent())
                        && boolMember(union, 0).isEmpty();
        return isVoidWhenFalse ? boolMember(union, 1) : Optional.empty();
    }

    private static Optional<Arm> armOf(Union union, long value) {
        return union.arms().stream()
                .filter(arm -> arm.cases().stream().anyMatch(each -> each.value() == value))
                .findFirst();
    }

    private static Optional<Field> boolMember(Union union, long value) {
        Optional<Arm> arm = armOf(union, value);
        return arm.isPresent() ? arm.get().field() : union.defaultArm().flatMap(TypeDefinition.DefaultArm::field);
    }

    /** The type that a type is optional-data of; empty if it is something else. */
    private Optional<XdrType> optionalElement(XdrType type) {
        XdrType resolved = protocol.resolve(type);
        if (resolved instanceof XdrType.Optional optional) {
            return Optional.of(protocol.resolve(optional.element()));
        }
        if (resolved instanceof Reference reference && protocol.type(reference.name()) instanceof Union union) {
            return optionalMember(union).map(member -> protocol.resolve(member.type()));
        }
        return Optional.empty();
    }

    private void findLinkedLists() {
        protocol.types().values().stream().filter(this::endsInItself).forEach(each -> linkedLists.add(each.name()));
        usedTypes().flatMap(this::heldAsItIs).forEach(linkedLists::remove);
    }

    /** A struct that holds itself in another member too is a tree, not a list. */
    private boolean endsInItself(TypeDefinition definition) {
        if (!(definition instanceof Structure structure)) {
            return false;
        }
        List<Field> fields = structure.fields();
        int link = fields.size() - 1;
        return optionalElement(fields.get(link).type()).equals(Optional.of(new Reference(structure.name())))
                && fields.subList(0, link).stream()
                        .flatMap(field -> named(field.type()))
                        .noneMatch(structure.name()::equals);
    }

    /** The types of everything that is declared. */
    private Stream<XdrType> usedTypes() {
        Stream<XdrType> members = protocol.types().values().stream()
                .filter(definition -> !(definition instanceof Union union
                        && optionalMember(union).isPresent()))
                .flatMap(Shapes::members)
                .map(Field::type);
        Stream<XdrType> procedures = protocol.programs().stream()
                .flatMap(program -> program.versions().stream())
                .flatMap(version -> version.procedures().stream())
                .flatMap(Shapes::signature);
        return Stream.concat(members, procedures);
    }

    private static Stream<Field> members(TypeDefinition definition) {
        if (definition instanceof Structure structure) {
            return structure.fields().stream();
        }
        if (definition instanceof Union union) {
            return Stream.concat(
                    union.arms().stream().flatMap(arm -> arm.field().stream()),
                    union.defaultArm().stream().flatMap(arm -> arm.field().stream()));
        }
        return Stream.empty();
    }

    private static Stream<XdrType> signature(Program.Procedure procedure) {
        return Stream.concat(procedure.arguments().stream(), Stream.of(procedure.result()));
    }

    /** The named types that a type holds otherwise than as optional-data. */
    private Stream<String> heldAsItIs(XdrType type) {
        XdrType resolved = protocol.resolve(type);
        Optional<XdrType> optional = optionalElement(resolved);
        if (optional.isPresent()) {
            return optional.get() instanceof Reference ? Stream.empty() : heldAsItIs(optional.get());
        }
        if (resolved instanceof XdrType.FixedArray array) {
            return heldAsItIs(array.element());
        }
        if (resolved instanceof XdrType.VariableArray array) {
            return heldAsItIs(array.element());
        }
        return resolved instanceof Reference reference ? Stream.of(reference.name()) : Stream.empty();
    }

    private boolean reachesItself(String name) {
        Set<String> reached = new HashSet<>();
        reach(name, reached);
        return reached.contains(name);
    }

    private void reach(String name, Set<String> reached) {
        TypeDefinition definition = protocol.type(name);
        Stream<Field> members =
                definition instanceof Structure structure ? fields(structure).stream() : members(definition);
        members.flatMap(member -> named(member.type()))
                .filter(reached::add)
                .toList()
                .forEach(each -> reach(each, reached));
    }

    private Stream<String> named(XdrType type) {
        XdrType resolved = protocol.resolve(type);
        if (resolved instanceof XdrType.Optional optional) {
            return named(optional.element());
        }
        if (resolved instanceof XdrType.FixedArray array) {
            return named(array.element());
        }
        if (resolved instanceof XdrType.VariableArray array) {
            return named(array.element());
        }
        return resolved instanceof Reference reference ? Stream.of(reference.name()) : Stream.empty();
    }
}
