// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;

/**
 * Describes the encoding of types as text. Equal texts mean equal encodings. The text omits names and the grouping of members, which are not sent. It
 * describes a string as opaque data, optional-data as an array of at most one element, and a bool as an enum of 0 and 1 (RFC 4506 sections 4.4, 4.11,
 * 4.14 and 4.19).
 */
final class WireShape {

    /** The longest text. Beyond this, types are compared by their names: reporting a change that is none is better than comparing endlessly. */
    private static final int LONGEST = 1 << 20;

    private final Protocol protocol;
    private final Set<String> openEnums;
    private final Set<String> byName;
    private final StringBuilder text = new StringBuilder();
    private final List<String> open = new ArrayList<>();

    private WireShape(Protocol protocol, Set<String> openEnums, Set<String> byName) {
        this.protocol = protocol;
        this.openEnums = openEnums;
        this.byName = byName;
    }

    /**
     * The encoding of a sequence of values.
     *
     * @param openEnums the enums that accept values without a name
     * @param byName definitions that the text names instead of describing them
     */
    static String of(Protocol protocol, List<XdrType> types, Set<String> openEnums, Set<String> byName) {
        WireShape shape = new WireShape(protocol, openEnums, byName);
        types.forEach(shape::add);
        return shape.text.toString();
    }

    /** The encoding of a definition, with the names of all others. */
    static String of(Protocol protocol, TypeDefinition definition) {
        WireShape shape = new WireShape(protocol, Set.of(), protocol.types().keySet());
        shape.add(definition);
        return shape.text.toString();
    }

    private void add(XdrType type) {
        XdrType resolved = protocol.resolve(type);
        if (resolved instanceof XdrType.VariableArray array) {
            repeated(array.element(), "<" + array.max() + ">");
        } else if (resolved instanceof XdrType.FixedArray array) {
            repeated(array.element(), "[" + array.size() + "]");
        } else if (resolved instanceof XdrType.Optional optional) {
            repeated(optional.element(), "<1>");
        } else if (resolved instanceof XdrType.VariableOpaque opaque) {
            text.append("bytes<").append(opaque.max()).append(">;");
        } else if (resolved instanceof XdrType.StringType string) {
            text.append("bytes<").append(string.max()).append(">;");
        } else if (resolved instanceof XdrType.Reference reference) {
            enter(reference.name());
        } else if (resolved == XdrType.Primitive.BOOL) {
            text.append("{0,1};");
        } else if (resolved != XdrType.Primitive.VOID) {
            text.append(resolved).append(';');
        }
    }

    private void repeated(XdrType element, String count) {
        text.append('(');
        add(element);
        text.append(')').append(count).append(';');
    }

    /** Enters a type. If it occurs inside itself, the text has the number of levels to its beginning. */
    private void enter(String name) {
        int level = open.lastIndexOf(name);
        if (byName.contains(name)) {
            text.append(name).append(';');
        } else if (level >= 0) {
            text.append('^').append(open.size() - level).append(';');
        } else if (text.length() > LONGEST) {
            text.append(name).append(';');
        } else {
            open.add(name);
            add(protocol.type(name));
            open.remove(open.size() - 1);
        }
    }

    private void add(TypeDefinition definition) {
        if (definition instanceof TypeDefinition.Structure structure) {
            structure.fields().forEach(field -> add(field.type()));
        } else if (definition instanceof TypeDefinition.Enumeration enumeration) {
            List<String> values = enumeration.enumerators().stream()
                    .map(TypeDefinition.Enumerator::value)
                    .sorted()
                    .map(String::valueOf)
                    .toList();
            text.append('{').append(String.join(",", values)).append("};");
        } else if (definition instanceof TypeDefinition.Union union) {
            union(union);
        }
    }

    /**
     * Without a default, the cases are the values that can be sent, whatever others the type of the discriminant has. A default for the few values that
     * a bool or enum can have is described as their cases.
     */
    private void union(TypeDefinition.Union union) {
        TreeMap<Long, List<XdrType>> arms = new TreeMap<>();
        union.arms().forEach(arm -> arm.cases().forEach(each -> arms.put(each.value(), body(arm))));
        Optional<List<Long>> values = union.defaultArm().flatMap(arm -> values(union));
        values.ifPresent(all -> all.forEach(
                value -> arms.putIfAbsent(value, body(union.arm(value).orElseThrow()))));
        boolean hasDefault = union.defaultArm().isPresent() && values.isEmpty();
        if (hasDefault) {
            add(union.discriminant().type());
        }
        arms.forEach((value, body) -> arm(String.valueOf(value), body));
        if (hasDefault) {
            arm("default", body(union.defaultArm().orElseThrow()));
        }
        text.append("end;");
    }

    /** The values that a discriminant can have, if they are few and described. */
    private Optional<List<Long>> values(TypeDefinition.Union union) {
        XdrType type = protocol.resolve(union.discriminant().type());
        if (type == XdrType.Primitive.BOOL) {
            return Optional.of(List.of(0L, 1L));
        }
        return protocol.definition(type)
                .filter(each -> !openEnums.contains(each.name()) && !byName.contains(each.name()))
                .map(each -> ((TypeDefinition.Enumeration) each)
                        .enumerators().stream()
                                .map(TypeDefinition.Enumerator::value)
                                .map(Long::valueOf)
                                .toList());
    }

    private static List<XdrType> body(TypeDefinition.Arm arm) {
        return arm.field().map(TypeDefinition.Field::type).stream().toList();
    }

    private void arm(String label, List<XdrType> body) {
        text.append(label).append('?');
        body.forEach(this::add);
    }
}
