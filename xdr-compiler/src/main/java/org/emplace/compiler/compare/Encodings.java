// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;

/** Compares how types are encoded. */
record Encodings(Protocol before, Protocol after) {

    /** Why another encoding is a breach. */
    static final String WHY = "old and new peers encode it in different ways";

    /** What differs, in words; empty if both are encoded alike. Types of one name are compared where they are defined. */
    Optional<String> difference(XdrType old, XdrType now) {
        XdrType first = before.resolve(old);
        XdrType second = after.resolve(now);
        Optional<String> bound = boundDifference(first, second, new HashSet<>());
        if (bound.isPresent()) {
            return bound;
        }
        String before = shape(this.before, first, new HashSet<>(), isSameName(old, now));
        String after = shape(this.after, second, new HashSet<>(), isSameName(old, now));
        return before.equals(after) ? Optional.empty() : Optional.of("was " + words(first) + ", is " + words(second));
    }

    /** The first bound that differs, however deep in the types; but not inside definitions that have the same name on both sides. */
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
        List<TypeDefinition.Field> first = members(old);
        List<TypeDefinition.Field> second = members(now);
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

    private static List<TypeDefinition.Field> members(TypeDefinition definition) {
        if (definition instanceof TypeDefinition.Structure structure) {
            return structure.fields();
        }
        List<TypeDefinition.Field> members = new ArrayList<>();
        if (definition instanceof TypeDefinition.Union union) {
            union.arms().forEach(arm -> arm.field().ifPresent(members::add));
            union.defaultArm().flatMap(TypeDefinition.DefaultArm::field).ifPresent(members::add);
        }
        return members;
    }

    private static Optional<XdrType> element(XdrType type) {
        if (type instanceof XdrType.FixedArray array) {
            return Optional.of(array.element());
        } else if (type instanceof XdrType.VariableArray array) {
            return Optional.of(array.element());
        }
        return type instanceof XdrType.Optional optional ? Optional.of(optional.element()) : Optional.empty();
    }

    private static String changed(long from, long to) {
        return from < to
                ? "bound raised from " + bound(from) + " to " + bound(to)
                        + ": an old peer refuses what is longer than its own"
                : "bound lowered from " + bound(from) + " to " + bound(to)
                        + ": a new peer refuses what is longer than its own";
    }

    /** Whether both refer to definitions of one name, or to none. */
    boolean isSameName(XdrType old, XdrType now) {
        return name(before.resolve(old)).equals(name(after.resolve(now)));
    }

    private static String name(XdrType type) {
        if (type instanceof XdrType.Reference reference) {
            return reference.name();
        } else if (type instanceof XdrType.FixedArray array) {
            return name(array.element());
        } else if (type instanceof XdrType.VariableArray array) {
            return name(array.element());
        } else if (type instanceof XdrType.Optional optional) {
            return name(optional.element());
        }
        return "";
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

    /** The encoding as text. Names stand for themselves where both sides use the same ones, else for what they mean. */
    private static String shape(Protocol protocol, XdrType type, Set<String> entered, boolean byName) {
        XdrType resolved = protocol.resolve(type);
        if (resolved instanceof XdrType.VariableArray array) {
            return shape(protocol, array.element(), entered, byName) + "<" + array.max() + ">";
        } else if (resolved instanceof XdrType.FixedArray array) {
            return shape(protocol, array.element(), entered, byName) + "[" + array.size() + "]";
        } else if (resolved instanceof XdrType.Optional optional) {
            return "*" + shape(protocol, optional.element(), entered, byName);
        } else if (resolved instanceof XdrType.Reference reference) {
            return byName || !entered.add(reference.name())
                    ? reference.name()
                    : shape(protocol, protocol.type(reference.name()), entered);
        }
        return resolved.toString();
    }

    private static String shape(Protocol protocol, TypeDefinition definition, Set<String> entered) {
        StringBuilder out = new StringBuilder();
        if (definition instanceof TypeDefinition.Structure structure) {
            structure
                    .fields()
                    .forEach(field -> out.append(shape(protocol, field.type(), entered, false))
                            .append(';'));
        } else if (definition instanceof TypeDefinition.Enumeration enumeration) {
            enumeration.enumerators().stream()
                    .map(TypeDefinition.Enumerator::value)
                    .sorted()
                    .forEach(value -> out.append(value).append(','));
        } else if (definition instanceof TypeDefinition.Union union) {
            out.append(shape(protocol, union.discriminant().type(), entered, false))
                    .append('?');
            union.arms().forEach(arm -> {
                arm.cases().forEach(each -> out.append(each.value()).append(','));
                arm.field().ifPresent(field -> out.append(shape(protocol, field.type(), entered, false)));
                out.append(';');
            });
            union.defaultArm().ifPresent(arm -> {
                out.append("default:");
                arm.field().ifPresent(field -> out.append(shape(protocol, field.type(), entered, false)));
            });
        }
        return "{" + out + "}";
    }

    /** A type in words. */
    static String words(XdrType type) {
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
