// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.TypeClauses;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;

/**
 * Compares the encodings of types.
 *
 * @param changed the definitions of the same name on both sides that differ themselves, which is reported where they are defined
 */
record Encodings(Protocol before, TypeClauses oldClauses, Protocol after, TypeClauses newClauses, Set<String> changed) {

    /** The reason why a different encoding breaks messages. */
    static final String WHY = "old and new peers encode it in different ways";

    /** The reason why a different type with the same encoding matters. */
    static final String NAMES = "names are not sent, but Java names derive from them";

    private static final String WHY_BOUND =
            "a peer rejects a length beyond its bound; shorter values are encoded alike";

    static Encodings of(JavaModel before, JavaModel after) {
        Set<String> changed = before.protocol().types().keySet().stream()
                .filter(name -> isChanged(before.protocol(), after.protocol(), name))
                .collect(Collectors.toUnmodifiableSet());
        return new Encodings(
                before.protocol(),
                before.binding().typeClauses(),
                after.protocol(),
                after.binding().typeClauses(),
                changed);
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
        XdrType first = before.resolve(old);
        XdrType second = after.resolve(now);
        Optional<Difference> bound =
                boundDifference(first, second, new HashSet<>()).map(what -> new Difference(what, WHY_BOUND));
        if (bound.isPresent()) {
            return bound;
        }
        return isSameInJava(first, second) || areAlike(List.of(first), List.of(second))
                ? Optional.empty()
                : Optional.of(new Difference(changed(first, second), WHY));
    }

    /** Whether sequences of values have the same encoding on both sides, apart from definitions whose change is reported elsewhere. */
    boolean areAlike(List<XdrType> old, List<XdrType> now) {
        return WireShape.of(before, old, Set.of()).equals(WireShape.of(after, now, Set.of()))
                || WireShape.of(before, old, changed).equals(WireShape.of(after, now, changed));
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

    /** The first bound that differs at any depth, but not inside definitions that have the same name on both sides. */
    private Optional<String> boundDifference(XdrType old, XdrType now, Set<String> entered) {
        XdrType first = before.resolve(old);
        XdrType second = after.resolve(now);
        Optional<long[]> bounds = bounds(first, second);
        if (bounds.isPresent() && bounds.get()[0] != bounds.get()[1]) {
            return Optional.of(changed(bounds.get()[0], bounds.get()[1]));
        }
        if (first instanceof XdrType.Reference one && second instanceof XdrType.Reference other) {
            return one.name().equals(other.name()) || !entered.add(one.name())
                    ? Optional.empty()
                    : boundDifference(before.type(one.name()), after.type(other.name()), entered);
        }
        Optional<XdrType> element = element(first);
        Optional<XdrType> otherElement = element(second);
        return element.isPresent() && otherElement.isPresent()
                ? boundDifference(element.get(), otherElement.get(), entered)
                : Optional.empty();
    }

    private Optional<String> boundDifference(TypeDefinition old, TypeDefinition now, Set<String> entered) {
        List<TypeDefinition.Field> first = old.members();
        List<TypeDefinition.Field> second = now.members();
        if (first.size() != second.size()) {
            return Optional.empty();
        }
        for (int i = 0; i < first.size(); i++) {
            Optional<String> inside =
                    boundDifference(first.get(i).type(), second.get(i).type(), entered);
            if (inside.isPresent()) {
                return inside.map((first.get(i).name() + ": ")::concat);
            }
        }
        return Optional.empty();
    }

    private static Optional<XdrType> element(XdrType type) {
        if (type instanceof XdrType.Array array) {
            return Optional.of(array.element());
        }
        return type instanceof XdrType.Optional optional ? Optional.of(optional.element()) : Optional.empty();
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

    private static Optional<long[]> bounds(XdrType old, XdrType now) {
        if (old instanceof XdrType.VariableOpaque first && now instanceof XdrType.VariableOpaque second) {
            return Optional.of(new long[] {first.max(), second.max()});
        } else if (old instanceof XdrType.StringType first && now instanceof XdrType.StringType second) {
            return Optional.of(new long[] {first.max(), second.max()});
        } else if (old instanceof XdrType.VariableArray first && now instanceof XdrType.VariableArray second) {
            return Optional.of(new long[] {first.max(), second.max()});
        }
        return Optional.empty();
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
