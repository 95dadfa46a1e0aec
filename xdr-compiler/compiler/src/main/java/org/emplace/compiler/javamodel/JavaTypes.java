// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.compiler.model.XdrType.Reference;

/** Finds the Java type of each XDR type. The section "Types" of docs/generated-code.md describes the types. */
final class JavaTypes {
    private final Protocol protocol;
    private final Binding binding;
    private final ClassNames names;
    private final Map<String, Integer> minimumSizes = new HashMap<>();

    JavaTypes(Protocol protocol, Binding binding, ClassNames names) {
        this.protocol = protocol;
        this.binding = binding;
        this.names = names;
    }

    /** The type of a struct's member or a union's arm. */
    JavaType member(String owner, Field field) {
        Target.Item item = new Target.Item(owner, field.name());
        XdrType type = protocol.resolve(field.type());
        if (binding.payloadItems().contains(item)) {
            return payload(type);
        }
        return binding.encodedItems().contains(item) ? chunkItem(of(type)) : of(field.type());
    }

    /** The type of what is neither a member nor an arm. */
    JavaType of(XdrType type) {
        XdrType resolved = resolve(type);
        if (resolved instanceof Primitive primitive) {
            return new JavaType.Scalar(primitive);
        }
        if (resolved instanceof XdrType.FixedOpaque opaque) {
            return new JavaType.Bytes(JavaType.Bytes.Kind.FIXED_OPAQUE, opaque.size());
        }
        if (resolved instanceof XdrType.VariableOpaque opaque) {
            return new JavaType.Bytes(JavaType.Bytes.Kind.OPAQUE, opaque.max());
        }
        if (resolved instanceof XdrType.StringType string) {
            return new JavaType.Bytes(JavaType.Bytes.Kind.STRING, string.max());
        }
        if (resolved instanceof XdrType.FixedArray array) {
            return array(array.element(), true, array.size());
        }
        if (resolved instanceof XdrType.VariableArray array) {
            return array(array.element(), false, array.max());
        }
        if (resolved instanceof XdrType.Optional optional) {
            return optional(of(optional.element()));
        }
        return named(((Reference) resolved).name());
    }

    /** The typedef that a type is named by. */
    Optional<String> alias(XdrType type) {
        return type instanceof Reference reference
                        && protocol.type(reference.name()) instanceof TypeDefinition.Typedef typedef
                ? Optional.of(typedef.name())
                : Optional.empty();
    }

    /** The type of a union's discriminant, which is never a typedef that is a type of its own. */
    JavaType discriminant(Field field) {
        return of(protocol.resolve(field.type()));
    }

    /** The content of a typedef that is a type of its own. */
    JavaType held(TypeDefinition.Typedef typedef) {
        XdrType resolved = resolve(typedef.target());
        if (!binding.typeClauses().bits().containsKey(typedef.name())) {
            return of(resolved);
        }
        return protocol.resolve(resolved) instanceof XdrType.FixedArray array
                ? new JavaType.Bits(true, array.size())
                : new JavaType.Bits(false, ((XdrType.VariableArray) protocol.resolve(resolved)).max());
    }

    private XdrType resolve(XdrType type) {
        return binding.typeClauses().resolve(type, protocol);
    }

    private JavaType array(XdrType element, boolean fixed, long size) {
        XdrType resolved = resolve(element);
        return JavaType.Numbers.isNumber(resolved)
                ? new JavaType.Numbers((Primitive) resolved, fixed, size)
                : new JavaType.Array(of(element), fixed, size);
    }

    /** The payload for an eligible item of bytes or numbers. */
    private JavaType payload(XdrType type) {
        if (type instanceof XdrType.Array array) {
            int elementSize = ((Primitive) protocol.resolve(array.element())).encodedSize();
            return array instanceof XdrType.FixedArray fixed
                    ? new JavaType.Bytes(JavaType.Bytes.Kind.FIXED_PAYLOAD, fixed.size(), elementSize)
                    : new JavaType.Bytes(
                            JavaType.Bytes.Kind.PAYLOAD, ((XdrType.VariableArray) array).max(), elementSize);
        }
        JavaType.Bytes held = (JavaType.Bytes) of(type);
        boolean isFixed = held.kind() == JavaType.Bytes.Kind.FIXED_OPAQUE;
        return new JavaType.Bytes(
                isFixed ? JavaType.Bytes.Kind.FIXED_PAYLOAD : JavaType.Bytes.Kind.PAYLOAD, held.size());
    }

    private static JavaType chunkItem(JavaType item) {
        return item instanceof JavaType.OptionalData optional
                ? new JavaType.OptionalData(new JavaType.ChunkItem(listed(optional.element())))
                : new JavaType.ChunkItem(item);
    }

    /** An optional array of numbers, as a list. It cannot have a destination, and its payload would have nothing to refer to. */
    private static JavaType listed(JavaType type) {
        return type instanceof JavaType.Numbers numbers
                ? new JavaType.Array(new JavaType.Scalar(numbers.element()), numbers.fixed(), numbers.size())
                : type;
    }

    /** Optional-data of a non-empty list, which together are a list of any length. */
    private static JavaType optional(JavaType element) {
        return element instanceof JavaType.LinkedList list && list.isNonEmpty()
                ? new JavaType.LinkedList(list.element(), list.isAroundLink(), false)
                : new JavaType.OptionalData(element);
    }

    private JavaType named(String name) {
        TypeDefinition definition = protocol.type(name);
        Optional<Field> member = definition instanceof Union union ? protocol.optionalMember(union) : Optional.empty();
        if (member.isPresent()) {
            return optional(member(name, member.get()));
        }
        OptionalInt link = protocol.link(definition);
        if (link.isEmpty()) {
            return classOf(name);
        }
        boolean isLast = link.getAsInt() == ((Structure) definition).fields().size() - 1;
        return new JavaType.LinkedList(classOf(name), !isLast, true);
    }

    private JavaType.Generated classOf(String name) {
        return new JavaType.Generated(names.type(name), minimumSize(name));
    }

    private int minimumSize(String name) {
        Integer known = minimumSizes.get(name);
        if (known != null) {
            return known;
        }
        minimumSizes.put(name, 4); // for the type inside itself, where a flag, a count or a discriminant precedes it
        long size = minimumSize(protocol.type(name));
        int bounded = (int) Math.min(size, Integer.MAX_VALUE);
        minimumSizes.put(name, bounded);
        return bounded;
    }

    private long minimumSize(TypeDefinition definition) {
        if (definition instanceof TypeDefinition.Typedef typedef) {
            return held(typedef).minimumSize();
        }
        if (definition instanceof Structure structure) {
            return protocol.withoutLink(structure).stream()
                    .mapToLong(field -> member(structure.name(), field).minimumSize())
                    .sum();
        }
        if (definition instanceof Union union) {
            return 4
                    + union.allArms()
                            .mapToLong(arm -> arm.field()
                                    .map(each -> member(union.name(), each).minimumSize())
                                    .orElse(0))
                            .min()
                            .orElse(0);
        }
        return 4;
    }
}
