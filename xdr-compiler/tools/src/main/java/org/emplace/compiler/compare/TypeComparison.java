// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.TypeClauses;
import org.emplace.compiler.compare.Comparison.Change.Effect;
import org.emplace.compiler.compare.Comparison.Change;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Protocol.Constant;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition.Enumeration;
import org.emplace.compiler.model.TypeDefinition.Enumerator;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.jspecify.annotations.Nullable;

/** Compares types and constants of the same names. */
final class TypeComparison {

    private final Protocol before;
    private final Protocol after;
    private final TypeClauses oldClauses;
    private final TypeClauses newClauses;
    private final Encodings encodings;
    private final Collection<Change> changes;

    TypeComparison(JavaModel before, JavaModel after, Encodings encodings, Collection<Change> changes) {
        this.before = before.protocol();
        this.after = after.protocol();
        this.oldClauses = before.binding().typeClauses();
        this.newClauses = after.binding().typeClauses();
        this.encodings = encodings;
        this.changes = changes;
    }

    private TypeComparison(TypeComparison all, Collection<Change> changes) {
        this.before = all.before;
        this.after = all.after;
        this.oldClauses = all.oldClauses;
        this.newClauses = all.newClauses;
        this.encodings = all.encodings;
        this.changes = changes;
    }

    void compare() {
        constants();
        Set<String> reached = SamePlaces.reached(before);
        reached.addAll(SamePlaces.reached(after));
        before.types().forEach((name, old) -> {
            Optional<TypeDefinition> now = Optional.ofNullable(after.types().get(name));
            if (now.isPresent()) {
                List<Change> found = new ArrayList<>();
                new TypeComparison(this, found).type(old, now.get());
                boolean isSent = encodings.inMessages().contains(name);
                found.forEach(each -> changes.add(isSent ? each : outsideMessages(each, reached.contains(name))));
            } else if (!(old instanceof TypeDefinition.Typedef)
                    || oldClauses.values().contains(name)) {
                change(
                        Effect.COMPATIBLE,
                        name,
                        "removed",
                        "the effect on messages is reported where the type was used");
            }
        });
        after.types().keySet().stream()
                .filter(name -> !before.types().containsKey(name))
                .forEach(name -> change(Effect.COMPATIBLE, name, "added", "no old definition refers to it"));
    }

    /** A change of a type that both sides have, but not at the same place. What no procedure has may be the content of opaque data. */
    private static Change outsideMessages(Change change, boolean isReached) {
        if (change.effect() != Effect.WIRE_BREAKING) {
            return change;
        }
        return isReached
                ? new Change(
                        Effect.COMPATIBLE,
                        change.where(),
                        change.what(),
                        "no message of the old procedures has it where the new one has it")
                : new Change(
                        Effect.WIRE_BREAKING,
                        change.where(),
                        change.what(),
                        "no procedure has it, but opaque data may hold it");
    }

    private void constants() {
        Map<String, Constant> now =
                after.constants().stream().collect(Collectors.toMap(Constant::name, Function.identity()));
        for (Constant old : before.constants()) {
            Constant other = now.get(old.name());
            if (other == null) {
                change(
                        Effect.COMPATIBLE,
                        old.name(),
                        "constant removed",
                        "changed bounds are reported at their declarations");
            } else if (!other.value().equals(old.value())) {
                change(
                        Effect.COMPATIBLE,
                        old.name(),
                        "constant changed from " + old.value() + " to " + other.value(),
                        "compiled code keeps the old value; changed bounds are reported at their declarations");
            }
        }
        Set<String> old = before.constants().stream().map(Constant::name).collect(Collectors.toSet());
        now.keySet().stream()
                .filter(name -> !old.contains(name))
                .forEach(name -> change(Effect.COMPATIBLE, name, "constant added", "no old definition refers to it"));
    }

    private void type(TypeDefinition old, TypeDefinition now) {
        if (old instanceof Enumeration first && now instanceof Enumeration second) {
            enumeration(first, second);
        } else if (old instanceof Structure first && now instanceof Structure second) {
            structure(first, second);
        } else if (old instanceof Union first && now instanceof Union second) {
            union(first, second);
        } else if (old instanceof TypeDefinition.Typedef first && now instanceof TypeDefinition.Typedef second) {
            encodings
                    .difference(first.target(), second.target())
                    .ifPresent(each -> change(Effect.WIRE_BREAKING, old.name(), each.what(), each.why()));
            value(old.name());
        } else {
            boolean areAlike = encodings.isAlike(old.name());
            change(
                    areAlike ? Effect.COMPATIBLE : Effect.WIRE_BREAKING,
                    old.name(),
                    "is now another kind of type" + (areAlike ? ", encoded alike" : ""),
                    areAlike ? Encodings.NAMES : Encodings.WHY);
        }
    }

    private void value(String name) {
        boolean wasValue = oldClauses.values().contains(name);
        boolean isValue = newClauses.values().contains(name);
        if (wasValue != isValue) {
            change(
                    Effect.COMPATIBLE,
                    name,
                    isValue ? "is now a type of its own" : "is no longer a type of its own",
                    "the encoding is the same, but in Java a record "
                            + (isValue ? "holds the value" : "no longer holds the value"));
        } else if (!Objects.equals(
                oldClauses.bits().get(name), newClauses.bits().get(name))) {
            change(Effect.COMPATIBLE, name, "the names of its bits changed", "the bits on the wire are the same");
        }
    }

    private void enumeration(Enumeration old, Enumeration now) {
        boolean wasOpen = oldClauses.openEnums().contains(old.name());
        boolean isOpen = newClauses.openEnums().contains(now.name());
        if (wasOpen != isOpen) {
            change(
                    Effect.COMPATIBLE,
                    old.name(),
                    isOpen ? "is now open" : "is no longer open",
                    "its values are encoded alike, but in Java "
                            + (isOpen ? "an interface takes the enum's place" : "an enum takes the interface's place"));
        }
        Map<Integer, String> values =
                now.enumerators().stream().collect(Collectors.toMap(Enumerator::value, Enumerator::name));
        for (Enumerator each : old.enumerators()) {
            @Nullable String name = values.remove(each.value());
            if (MovedNames.isMoved(old, now, each.name())) {
                change(
                        Effect.WIRE_BREAKING,
                        old.name(),
                        each.name() + " was " + each.value() + ", but is now another value",
                        MovedNames.WHY);
            } else if (name == null) {
                change(
                        isOpen ? Effect.COMPATIBLE : Effect.WIRE_BREAKING,
                        old.name(),
                        "value " + each.name() + " = " + each.value() + " removed",
                        isOpen
                                ? "a new peer keeps it as a value without a name"
                                : "a new peer rejects messages in which an old one sends it");
            } else if (!name.equals(each.name())) {
                change(
                        Effect.COMPATIBLE,
                        old.name(),
                        "value " + each.value() + " renamed from " + each.name() + " to " + name,
                        "the number on the wire is the same");
            }
        }
        for (Enumerator each : old.aliases()) {
            if (now.withAliases()
                    .noneMatch(other -> other.name().equals(each.name()) && other.value() == each.value())) {
                boolean isMoved = MovedNames.isMoved(old, now, each.name());
                change(
                        isMoved ? Effect.WIRE_BREAKING : Effect.COMPATIBLE,
                        old.name(),
                        "name " + each.name() + " of value " + each.value() + " removed",
                        isMoved ? MovedNames.WHY : "the number on the wire is the same");
            }
        }
        values.forEach((value, name) -> change(
                wasOpen ? Effect.COMPATIBLE : Effect.WIRE_BREAKING,
                old.name(),
                "value " + name + " = " + value + " added",
                wasOpen
                        ? "an old peer keeps it as a value without a name"
                        : "an old peer rejects messages in which a new one sends it (RFC 4506 section 4.3)"));
    }

    private void structure(Structure old, Structure now) {
        List<String> names = names(old.fields());
        List<String> others = names(now.fields());
        if (!names.equals(others) && names.size() == others.size() && others.containsAll(names)) {
            change(
                    Effect.WIRE_BREAKING,
                    old.name(),
                    "members reordered: " + String.join(", ", others),
                    "members are encoded in the order of their declaration (RFC 4506 section 4.14)");
            return;
        }
        if (names.size() != others.size() && encodings.areAlike(types(old), types(now))) {
            Optional<String> moved = MovedNames.regrouped(before, old.fields(), after, now.fields());
            change(
                    moved.isPresent() ? Effect.WIRE_BREAKING : Effect.COMPATIBLE,
                    old.name(),
                    "members regrouped, encoded alike: " + String.join(", ", others)
                            + moved.map(name -> ", in which " + name + " is elsewhere")
                                    .orElse(""),
                    moved.isPresent() ? MovedNames.WHY : Encodings.NAMES);
            return;
        }
        if (names.size() != others.size()) {
            List<String> added = without(others, names);
            List<String> removed = without(names, others);
            String what = (added.isEmpty() ? "" : "members added: " + String.join(", ", added))
                    + (added.isEmpty() || removed.isEmpty() ? "" : "; ")
                    + (removed.isEmpty() ? "" : "members removed: " + String.join(", ", removed));
            change(
                    Effect.WIRE_BREAKING,
                    old.name(),
                    what,
                    "XDR has no tags, so a peer reads everything that follows at the wrong position");
            return;
        }
        for (int i = 0; i < names.size(); i++) {
            Field member = old.fields().get(i);
            field(old.name(), member, now.fields().get(i), MovedNames.isMoved(old, now, member.name()));
        }
    }

    private void field(String holder, Field old, Field now, boolean isMoved) {
        field(holder, old, now, isMoved, encodings.difference(old.type(), now.type()));
    }

    private void field(
            String holder, Field old, Field now, boolean isMoved, Optional<Encodings.Difference> difference) {
        String where = holder + "." + old.name();
        difference.ifPresent(each -> change(Effect.WIRE_BREAKING, where, each.what(), each.why()));
        if (!old.name().equals(now.name())) {
            change(
                    isMoved ? Effect.WIRE_BREAKING : Effect.COMPATIBLE,
                    where,
                    isMoved ? "is now elsewhere; here is " + now.name() : "renamed to " + now.name(),
                    isMoved ? MovedNames.WHY : Encodings.NAMES);
        }
        if (difference.isEmpty()) {
            encodings.encodedAlike(where, "", old.type(), now.type()).ifPresent(changes::add);
        }
    }

    private void union(Union old, Union now) {
        field(
                old.name(),
                old.discriminant(),
                now.discriminant(),
                /* isMoved= */ false,
                encodings.areDiscriminantsAlike(old, now)
                        ? Optional.empty()
                        : encodings.difference(
                                old.discriminant().type(), now.discriminant().type()));
        Map<Long, Optional<Field>> arms = arms(now);
        Optional<TypeDefinition.Arm> oldDefault = old.defaultArm();
        Optional<TypeDefinition.Arm> newDefault = now.defaultArm();
        arms(old).forEach((value, field) -> {
            if (arms.containsKey(value)) {
                arm(old, now, "case " + value, field, Objects.requireNonNull(arms.remove(value)));
            } else if (newDefault.isPresent()) {
                arm(old, now, "case " + value, field, newDefault.get().field());
            } else {
                change(
                        Effect.WIRE_BREAKING,
                        old.name(),
                        "case " + value + " removed",
                        "a new peer rejects messages in which an old one sends it");
            }
        });
        arms.forEach((value, field) -> {
            if (oldDefault.isEmpty()) {
                change(
                        Effect.WIRE_BREAKING,
                        old.name(),
                        "case " + value + " added",
                        "an old peer rejects messages in which a new one sends it");
            } else {
                arm(old, now, "case " + value, oldDefault.get().field(), field);
            }
        });
        if (oldDefault.isPresent() && newDefault.isEmpty()) {
            defaultChanged(old, "default removed", "a new peer", coversAll(after, newClauses, now));
        } else if (oldDefault.isEmpty() && newDefault.isPresent()) {
            defaultChanged(old, "default added", "an old peer", coversAll(before, oldClauses, old));
        } else {
            oldDefault.ifPresent(arm -> arm(
                    old, now, "default", arm.field(), newDefault.orElseThrow().field()));
        }
    }

    private void defaultChanged(Union union, String what, String peerWithoutIt, boolean coversAll) {
        if (coversAll) {
            change(Effect.COMPATIBLE, union.name(), what + ", but every value has a case", Encodings.NAMES);
        } else {
            change(Effect.WIRE_BREAKING, union.name(), what, peerWithoutIt + " rejects values without a case");
        }
    }

    /** Whether every value that the discriminant can have has a case, so that the default is never selected. */
    private static boolean coversAll(Protocol protocol, TypeClauses clauses, Union union) {
        XdrType discriminant = protocol.resolve(union.discriminant().type());
        Set<Long> cases = arms(union).keySet();
        if (protocol.definition(discriminant).orElse(null) instanceof Enumeration enumeration) {
            return !clauses.openEnums().contains(enumeration.name())
                    && enumeration.enumerators().stream().allMatch(each -> cases.contains((long) each.value()));
        }
        return discriminant == XdrType.Primitive.BOOL && cases.containsAll(Set.of(0L, 1L));
    }

    private void arm(Union union, Union other, String label, Optional<Field> old, Optional<Field> now) {
        String where = union.name() + " " + label;
        if (old.isPresent() && now.isPresent()) {
            field(
                    where,
                    old.get(),
                    now.get(),
                    MovedNames.isMoved(union, other, old.get().name()));
        } else if (old.isPresent() != now.isPresent()) {
            change(Effect.WIRE_BREAKING, where, old.isPresent() ? "is now void" : "is no longer void", Encodings.WHY);
        }
    }

    private static Map<Long, Optional<Field>> arms(Union union) {
        Map<Long, Optional<Field>> arms = new TreeMap<>();
        union.arms().forEach(arm -> arm.cases().forEach(each -> arms.put(each.value(), arm.field())));
        return arms;
    }

    private static List<XdrType> types(Structure structure) {
        return structure.fields().stream().map(Field::type).toList();
    }

    private static List<String> names(List<Field> fields) {
        return fields.stream().map(Field::name).toList();
    }

    private static List<String> without(List<String> some, List<String> others) {
        List<String> rest = new ArrayList<>(some);
        rest.removeAll(others);
        return rest;
    }

    private void change(Effect effect, String where, String what, String why) {
        changes.add(new Change(effect, where, what, why));
    }
}
