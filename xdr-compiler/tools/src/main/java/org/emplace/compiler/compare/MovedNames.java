// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.CaseValue;
import org.emplace.compiler.model.TypeDefinition.Enumeration;
import org.emplace.compiler.model.TypeDefinition.Enumerator;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;

/**
 * Finds names that stand for another number, or at another place of a message, than before. What peers send is encoded as before, but each means
 * something else by it.
 */
final class MovedNames {

    /** The reason why such a name breaks messages. */
    static final String WHY = "old and new peers mean different things by the same bytes";

    /** Beyond this, names in regrouped members are not compared. */
    private static final int MOST_NAMES = 10_000;

    private final Protocol before;
    private final Protocol after;
    private final Set<List<String>> seen = new HashSet<>();

    private MovedNames(Protocol before, Protocol after) {
        this.before = before;
        this.after = after;
    }

    /** Whether the new definition has a name where the old one does not have it, though the old one has it elsewhere. */
    static boolean isMoved(TypeDefinition old, TypeDefinition now, String name) {
        return names(old).anyMatch(name::equals)
                && Stream.concat(places(now), defaultPlace(now))
                        .anyMatch(place ->
                                at(now, place).contains(name) && !at(old, place).contains(name));
    }

    /** The first name that is moved in types of other names which are encoded alike. */
    static Optional<String> between(Protocol before, XdrType old, Protocol after, XdrType now) {
        return new MovedNames(before, after).between(old, now);
    }

    /**
     * The first name that is moved in sequences of members which are encoded alike but grouped in other structs. Names that occur more than once do not
     * count: which is which, nobody can tell.
     */
    static Optional<String> regrouped(Protocol before, List<Field> old, Protocol after, List<Field> now) {
        return new MovedNames(before, after).regrouped(old, now);
    }

    private Optional<String> regrouped(List<Field> old, List<Field> now) {
        List<String> first = new ArrayList<>();
        old.forEach(each -> flatten(before, each, first));
        List<String> second = new ArrayList<>();
        now.forEach(each -> flatten(after, each, second));
        return first.size() != second.size() || first.size() > MOST_NAMES
                ? Optional.empty()
                : first.stream()
                        .filter(name -> occursOnce(first, name) && occursOnce(second, name))
                        .filter(name -> first.indexOf(name) != second.indexOf(name))
                        .findFirst();
    }

    private static boolean occursOnce(List<String> names, String name) {
        return names.contains(name) && names.indexOf(name) == names.lastIndexOf(name);
    }

    /** Adds the names of a member's own members, if it is a struct, or else its name. A struct cannot hold itself in this way. */
    private static void flatten(Protocol protocol, Field field, List<String> names) {
        if (names.size() > MOST_NAMES) {
            return;
        } else if (protocol.definition(field.type()).orElse(null) instanceof Structure structure) {
            structure.fields().forEach(each -> flatten(protocol, each, names));
        } else {
            names.add(field.name());
        }
    }

    private Optional<String> between(XdrType old, XdrType now) {
        XdrType first = before.resolve(old);
        XdrType second = after.resolve(now);
        if (first instanceof XdrType.Reference one && second instanceof XdrType.Reference other) {
            return one.name().equals(other.name()) || !seen.add(List.of(one.name(), other.name()))
                    ? Optional.empty()
                    : between(before.type(one.name()), after.type(other.name()));
        }
        Optional<XdrType> element = SamePlaces.element(first);
        return element.flatMap(each -> SamePlaces.element(second).flatMap(other -> between(each, other)));
    }

    private Optional<String> between(TypeDefinition old, TypeDefinition now) {
        if (old.getClass() != now.getClass()) {
            return Optional.empty();
        } else if (old instanceof Structure
                && old.members().size() != now.members().size()) {
            return regrouped(old.members(), now.members());
        }
        return names(old)
                .filter(name -> isMoved(old, now, name))
                .findFirst()
                .or(() -> Stream.concat(places(now), defaultPlace(now))
                        .flatMap(place -> member(old, place).stream()
                                .flatMap(first -> member(now, place).stream()
                                        .flatMap(second -> between(first.type(), second.type()).stream())))
                        .findFirst());
    }

    private static Stream<String> names(TypeDefinition definition) {
        return definition instanceof Enumeration enumeration
                ? enumeration.withAliases().map(Enumerator::name)
                : definition.members().stream().map(Field::name);
    }

    /** Where a definition has names: the values of an enum, the cases of a union, the positions in a struct. */
    private static Stream<Optional<Long>> places(TypeDefinition definition) {
        if (definition instanceof Enumeration enumeration) {
            return enumeration.enumerators().stream().map(each -> Optional.of((long) each.value()));
        } else if (definition instanceof Union union) {
            return union.arms().stream()
                    .flatMap(arm -> arm.cases().stream())
                    .map(CaseValue::value)
                    .map(Optional::of);
        }
        return Stream.iterate(0L, i -> i + 1).limit(definition.members().size()).map(Optional::of);
    }

    private static Stream<Optional<Long>> defaultPlace(TypeDefinition definition) {
        return definition instanceof Union union && union.defaultArm().isPresent()
                ? Stream.of(Optional.empty())
                : Stream.empty();
    }

    private static List<String> at(TypeDefinition definition, Optional<Long> place) {
        return definition instanceof Enumeration enumeration
                ? enumeration
                        .withAliases()
                        .filter(each ->
                                place.filter(number -> number == each.value()).isPresent())
                        .map(Enumerator::name)
                        .toList()
                : member(definition, place).stream().map(Field::name).toList();
    }

    private static Optional<Field> member(TypeDefinition definition, Optional<Long> place) {
        if (definition instanceof Union union) {
            return place.map(union::arm).orElse(union.defaultArm()).flatMap(TypeDefinition.Arm::field);
        }
        return place.filter(
                        number -> number >= 0 && number < definition.members().size())
                .map(number -> definition.members().get(number.intValue()));
    }
}
