// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.TypeClauses;
import org.emplace.compiler.compare.Comparison.Change.Effect;
import org.emplace.compiler.compare.Comparison.Change;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;

/**
 * Compares the encodings of types.
 *
 * @param changed the definitions of the same name on both sides that differ themselves, which is reported where they are defined
 * @param inMessages the names whose old and new definitions stand at the same place of a message
 */
record Encodings(
        Protocol before,
        TypeClauses oldClauses,
        Protocol after,
        TypeClauses newClauses,
        Set<String> changed,
        Set<String> inMessages) {

    /** The reason why a different encoding breaks messages. */
    static final String WHY = "old and new peers encode it in different ways";

    /** The reason why a different type with the same encoding matters. */
    static final String NAMES = "names are not sent, but Java names derive from them";

    private static final String WHY_BOUND =
            "a peer rejects a length beyond its bound; shorter values are encoded alike";

    private static final String WHY_VALUES =
            "a peer rejects a value that its enum does not have; the others are encoded alike";

    /** A bound in the text of a shape. */
    private static final Pattern BOUND = Pattern.compile("<([0-9]+)>");

    static Encodings of(JavaModel before, JavaModel after) {
        Set<String> changed = before.protocol().types().keySet().stream()
                .filter(name -> isChanged(before.protocol(), after.protocol(), name))
                .collect(Collectors.toUnmodifiableSet());
        return new Encodings(
                before.protocol(),
                before.binding().typeClauses(),
                after.protocol(),
                after.binding().typeClauses(),
                changed,
                SamePlaces.of(before.protocol(), after.protocol()));
    }

    private static boolean isChanged(Protocol before, Protocol after, String name) {
        TypeDefinition old = before.type(name);
        TypeDefinition now = after.types().get(name);
        return now != null
                && !(old instanceof TypeDefinition.Typedef)
                && !(now instanceof TypeDefinition.Typedef)
                && !WireShape.of(before, old).equals(WireShape.of(after, now));
    }

    /** A difference of two encodings, and its effect. */
    record Difference(String what, String why) {}

    /** The first difference; empty if both encodings are the same. Types of the same name are compared at their definitions. */
    Optional<Difference> difference(XdrType old, XdrType now) {
        List<XdrType> first = List.of(old);
        List<XdrType> second = List.of(now);
        boolean isSameName = before.resolve(old) instanceof XdrType.Reference name && name.equals(after.resolve(now));
        if (isSameName || areAlike(first, second)) {
            return Optional.empty();
        }
        return boundDifference(first, second)
                .map(what -> new Difference(what, WHY_BOUND))
                .or(() -> Optional.of(new Difference(
                        changed(old, now), isEnum(before, old) && isEnum(after, now) ? WHY_VALUES : WHY)));
    }

    /** The difference of two sequences of other lengths, as an addition to what says so; empty if they are encoded alike. */
    Optional<Difference> difference(List<XdrType> old, List<XdrType> now) {
        return areAlike(old, now)
                ? Optional.empty()
                : boundDifference(old, now)
                        .map(what -> new Difference(", " + what, WHY_BOUND))
                        .or(() -> Optional.of(new Difference("", WHY)));
    }

    private Optional<String> boundDifference(List<XdrType> old, List<XdrType> now) {
        return boundDifference(oldShape(old, changed), newShape(now, changed))
                .or(() -> boundDifference(oldShape(old, Set.of()), newShape(now, Set.of())));
    }

    private static boolean isEnum(Protocol protocol, XdrType type) {
        return protocol.definition(type)
                .filter(TypeDefinition.Enumeration.class::isInstance)
                .isPresent();
    }

    /** Whether sequences of values have the same encoding on both sides, apart from definitions whose change is reported elsewhere. */
    boolean areAlike(List<XdrType> old, List<XdrType> now) {
        return oldShape(old, Set.of()).equals(newShape(now, Set.of()))
                || oldShape(old, changed).equals(newShape(now, changed));
    }

    /** Whether both definitions of a name have the same encoding, apart from other definitions whose change is reported elsewhere. */
    boolean isAlike(String name) {
        Set<String> others = new HashSet<>(changed);
        others.remove(name);
        List<XdrType> itself = List.of(new XdrType.Reference(name));
        return oldShape(itself, others).equals(newShape(itself, others));
    }

    private String oldShape(List<XdrType> types, Set<String> byName) {
        return WireShape.of(before, types, oldClauses.openEnums(), byName);
    }

    private String newShape(List<XdrType> types, Set<String> byName) {
        return WireShape.of(after, types, newClauses.openEnums(), byName);
    }

    /** Whether the discriminants of unions without a default have the same encoding: their cases are the values that can be sent. */
    boolean areDiscriminantsAlike(Union old, Union now) {
        boolean bothAreClosed = old.defaultArm().isEmpty() && now.defaultArm().isEmpty();
        return bothAreClosed && is32Bits(before, old) && is32Bits(after, now);
    }

    private static boolean is32Bits(Protocol protocol, Union union) {
        XdrType type = protocol.resolve(union.discriminant().type());
        return type == XdrType.Primitive.INT
                || type == XdrType.Primitive.UNSIGNED_INT
                || type == XdrType.Primitive.BOOL
                || type instanceof XdrType.Reference;
    }

    /** The change of a type, as text. */
    String changed(XdrType old, XdrType now) {
        return "was " + words(before.resolve(old)) + ", is " + words(after.resolve(now));
    }

    /** The change of a type that is encoded alike, if it is another in Java; {@code what} begins its description. */
    Optional<Change> encodedAlike(String where, String what, XdrType old, XdrType now) {
        if (isSameInJava(old, now)) {
            return Optional.empty();
        }
        return Optional.of(MovedNames.between(before, old, after, now)
                .map(name -> new Change(
                        Effect.WIRE_BREAKING,
                        where,
                        what + changed(old, now) + ", in which " + name + " is elsewhere",
                        MovedNames.WHY))
                .orElseGet(() ->
                        new Change(Effect.COMPATIBLE, where, what + changed(old, now) + ", encoded alike", NAMES)));
    }

    /** The bounds in which two shapes differ, if they differ in nothing else. */
    private static Optional<String> boundDifference(String old, String now) {
        if (!BOUND.matcher(old).replaceAll("<>").equals(BOUND.matcher(now).replaceAll("<>"))) {
            return Optional.empty();
        }
        Matcher first = BOUND.matcher(old);
        Matcher second = BOUND.matcher(now);
        Set<String> changes = new LinkedHashSet<>();
        while (first.find() && second.find()) {
            if (!first.group().equals(second.group())) {
                changes.add(changed(Long.parseLong(first.group(1)), Long.parseLong(second.group(1))));
            }
        }
        return changes.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", changes));
    }

    private static String changed(long from, long to) {
        return from < to
                ? "bound raised from " + bound(from) + " to " + bound(to)
                        + ": an old peer rejects values beyond its bound"
                : "bound lowered from " + bound(from) + " to " + bound(to)
                        + ": a new peer rejects values beyond its bound";
    }

    /** Whether both have the same Java type: definitions of the same name, or none, in the same arrangement. */
    boolean isSameInJava(XdrType old, XdrType now) {
        return words(withoutTypedefs(before, oldClauses, old)).equals(words(withoutTypedefs(after, newClauses, now)));
    }

    /** A type without typedefs, except those that are types of their own. */
    private static XdrType withoutTypedefs(Protocol protocol, TypeClauses clauses, XdrType type) {
        XdrType resolved = clauses.resolve(type, protocol);
        if (resolved instanceof XdrType.FixedArray array) {
            return new XdrType.FixedArray(withoutTypedefs(protocol, clauses, array.element()), array.size());
        } else if (resolved instanceof XdrType.VariableArray array) {
            return new XdrType.VariableArray(withoutTypedefs(protocol, clauses, array.element()), array.max());
        } else if (resolved instanceof XdrType.Optional optional) {
            return new XdrType.Optional(withoutTypedefs(protocol, clauses, optional.element()));
        }
        return resolved;
    }

    private static String bound(long max) {
        return max == XdrType.UNBOUNDED ? "none" : String.valueOf(max);
    }

    /** A type as text, without its bound. */
    private static String words(XdrType type) {
        if (type instanceof XdrType.Primitive primitive) {
            return primitive.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        } else if (type instanceof XdrType.FixedOpaque opaque) {
            return "opaque[" + opaque.size() + "]";
        } else if (type instanceof XdrType.VariableOpaque) {
            return "opaque<>";
        } else if (type instanceof XdrType.StringType) {
            return "string";
        } else if (type instanceof XdrType.FixedArray array) {
            return words(array.element()) + "[" + array.size() + "]";
        } else if (type instanceof XdrType.VariableArray array) {
            return words(array.element()) + "<>";
        } else if (type instanceof XdrType.Optional optional) {
            return "optional " + words(optional.element());
        }
        return ((XdrType.Reference) type).name();
    }
}
