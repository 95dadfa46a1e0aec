// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;

/**
 * Finds the names whose old and new definitions stand at the same place of a message of a procedure that both sides have. Only their changes change
 * messages. Where the places of two types cannot be told member by member, all names that both hold count.
 */
final class SamePlaces {

    private final Protocol before;
    private final Protocol after;
    private final Set<String> found = new HashSet<>();

    /** The pairs of names of which one stands where the other did. */
    private final Set<List<String>> renamed = new HashSet<>();

    private SamePlaces(Protocol before, Protocol after) {
        this.before = before;
        this.after = after;
    }

    /** All names that both sides define, if one of them has no programs: its messages are those of another file. */
    static Set<String> of(Protocol before, Protocol after) {
        SamePlaces places = new SamePlaces(before, after);
        if (before.programs().isEmpty() || after.programs().isEmpty()) {
            places.found.addAll(before.types().keySet());
        }
        before.programs()
                .forEach(old -> after.programs().stream()
                        .filter(now -> old.number() == now.number())
                        .forEach(now -> places.versions(old, now)));
        places.found.retainAll(after.types().keySet());
        return places.found;
    }

    /** All names that the procedures of a protocol reach. */
    static Set<String> reached(Protocol protocol) {
        Set<String> names = new HashSet<>();
        protocol.programs().stream()
                .flatMap(program -> program.versions().stream())
                .flatMap(version -> version.procedures().stream())
                .flatMap(each -> Stream.concat(each.arguments().stream(), Stream.of(each.result())))
                .forEach(type -> gather(protocol, type, names));
        return names;
    }

    private void versions(Program old, Program now) {
        for (Program.Version first : old.versions()) {
            for (Program.Version second : now.versions()) {
                if (first.number() == second.number()) {
                    procedures(first, second);
                }
            }
        }
    }

    private void procedures(Program.Version old, Program.Version now) {
        for (Program.Procedure first : old.procedures()) {
            for (Program.Procedure second : now.procedures()) {
                if (first.number() == second.number()) {
                    types(first.arguments(), second.arguments());
                    type(first.result(), second.result());
                }
            }
        }
    }

    private void types(List<XdrType> old, List<XdrType> now) {
        if (old.size() == now.size()) {
            for (int i = 0; i < old.size(); i++) {
                type(old.get(i), now.get(i));
            }
        } else {
            found.addAll(inBoth(old, now));
        }
    }

    private void type(XdrType old, XdrType now) {
        XdrType first = behindOther(before, old, now);
        XdrType second = behindOther(after, now, old);
        Optional<XdrType> element = element(first);
        Optional<XdrType> otherElement = element(second);
        if (first instanceof XdrType.Reference reference && first.equals(second)) {
            if (found.add(reference.name())) {
                definition(before.type(reference.name()), after.type(reference.name()));
            }
        } else if (first instanceof XdrType.Reference reference && second instanceof XdrType.Reference other) {
            if (renamed.add(List.of(reference.name(), other.name()))) {
                definition(before.type(reference.name()), after.type(other.name()));
            }
        } else if (element.isPresent() && otherElement.isPresent()) {
            type(element.get(), otherElement.get());
        } else {
            found.addAll(inBoth(List.of(first), List.of(second)));
        }
    }

    /** The definition behind typedefs, unless the other side has the same typedef. */
    private static XdrType behindOther(Protocol protocol, XdrType type, XdrType other) {
        return type.equals(other) ? type : protocol.resolve(type);
    }

    private void definition(TypeDefinition old, TypeDefinition now) {
        if (old instanceof Union first && now instanceof Union second) {
            union(first, second);
        } else if (old.getClass() == now.getClass()) {
            types(held(old), held(now));
        } else {
            found.addAll(inBoth(held(old), held(now)));
        }
    }

    private void union(Union old, Union now) {
        type(old.discriminant().type(), now.discriminant().type());
        Set<Long> labels = old.allArms()
                .flatMap(arm -> arm.cases().stream())
                .map(TypeDefinition.CaseValue::value)
                .collect(Collectors.toSet());
        now.arms().forEach(arm -> arm.cases().forEach(each -> labels.add(each.value())));
        labels.forEach(label -> arms(old.arm(label), now.arm(label)));
        arms(old.defaultArm(), now.defaultArm());
    }

    private void arms(Optional<TypeDefinition.Arm> old, Optional<TypeDefinition.Arm> now) {
        Optional<XdrType> first = old.flatMap(TypeDefinition.Arm::field).map(TypeDefinition.Field::type);
        Optional<XdrType> second = now.flatMap(TypeDefinition.Arm::field).map(TypeDefinition.Field::type);
        if (first.isPresent() && second.isPresent()) {
            type(first.get(), second.get());
        }
    }

    private Set<String> inBoth(List<XdrType> old, List<XdrType> now) {
        Set<String> names = new HashSet<>();
        old.forEach(each -> gather(before, each, names));
        Set<String> others = new HashSet<>();
        now.forEach(each -> gather(after, each, others));
        names.retainAll(others);
        return names;
    }

    private static void gather(Protocol protocol, XdrType type, Set<String> to) {
        if (type instanceof XdrType.Reference reference) {
            if (to.add(reference.name())) {
                held(protocol.type(reference.name())).forEach(each -> gather(protocol, each, to));
            }
        } else {
            element(type).ifPresent(each -> gather(protocol, each, to));
        }
    }

    private static List<XdrType> held(TypeDefinition definition) {
        if (definition instanceof TypeDefinition.Typedef typedef) {
            return List.of(typedef.target());
        }
        Stream<TypeDefinition.Field> discriminant =
                definition instanceof Union union ? Stream.of(union.discriminant()) : Stream.empty();
        return Stream.concat(discriminant, definition.members().stream())
                .map(TypeDefinition.Field::type)
                .toList();
    }

    /** What an array or optional-data holds. */
    static Optional<XdrType> element(XdrType type) {
        if (type instanceof XdrType.Array array) {
            return Optional.of(array.element());
        }
        return type instanceof XdrType.Optional optional ? Optional.of(optional.element()) : Optional.empty();
    }
}
