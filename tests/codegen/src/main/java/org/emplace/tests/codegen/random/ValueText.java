// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.binding.TypeClauses;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Arm;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Typedef;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrBits;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrNumbers;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrQuadruple;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrValue;

/** Writes values of generated classes in the form of {@link RandomValue#text}, by their protocol types. */
final class ValueText {
    private final Protocol protocol;
    private final TypeClauses clauses;
    private final StringBuilder text = new StringBuilder();

    private ValueText(Protocol protocol, TypeClauses clauses) {
        this.protocol = protocol;
        this.clauses = clauses;
    }

    /** @param value a value of one type, or a record with a value of each type */
    static String of(Object value, List<XdrType> types, Protocol protocol, TypeClauses clauses) {
        ValueText text = new ValueText(protocol, clauses);
        List<Object> values = types.size() == 1 ? List.of(value) : components(value);
        for (int i = 0; i < types.size(); i++) {
            text.add(values.get(i), types.get(i));
        }
        return text.text.toString();
    }

    /** Adds a value. A value type of a typedef is a record with the typedef's value, unless it is a payload. */
    private void add(Object value, XdrType declared) {
        XdrType type = clauses.resolve(declared, protocol);
        if (type instanceof XdrType.Reference reference && protocol.type(reference.name()) instanceof Typedef typedef) {
            add(value instanceof Record ? components(value).get(0) : value, typedef.target());
            return;
        }
        if (type instanceof Primitive primitive) {
            say(scalar(value, primitive));
        } else if (type instanceof XdrType.Optional optional) {
            addOptional(value, optional.element());
        } else if (type instanceof XdrType.Array array) {
            addArray(value, array.element());
        } else if (type instanceof XdrType.Reference reference) {
            addNamed(value, protocol.type(reference.name()));
        } else {
            say(bytes(value));
        }
    }

    private void addArray(Object value, XdrType element) {
        addList(
                value instanceof XdrBits bits
                        ? NumbersOf.array(bits.words())
                        : value instanceof Payload payload
                                ? NumbersOf.payload(payload, (Primitive) protocol.resolve(element))
                                : value instanceof XdrNumbers numbers ? NumbersOf.array(numbers) : (List<?>) value,
                element);
    }

    private void addList(List<?> list, XdrType element) {
        say(String.valueOf(list.size()));
        list.forEach(each -> add(each, element));
    }

    /** Adds optional-data. A linked list is a List. */
    private void addOptional(Object value, XdrType element) {
        if (value instanceof List<?> linked) {
            say(linked.isEmpty() ? "0" : "1");
            if (!linked.isEmpty()) {
                add(linked, element);
            }
        } else {
            Optional<?> optional = NumbersOf.optional(value);
            say(optional.isPresent() ? "1" : "0");
            optional.ifPresent(each -> add(each, element));
        }
    }

    /** Adds list elements. The rest of the list is nested in the element, at its link. */
    private void addLinked(List<?> elements, Structure structure, int link) {
        List<Object> components = components(elements.get(0));
        for (int i = 0; i < structure.fields().size(); i++) {
            if (i != link) {
                add(
                        components.get(i < link ? i : i - 1),
                        structure.fields().get(i).type());
            } else if (elements.size() > 1) {
                say("1");
                addLinked(elements.subList(1, elements.size()), structure, link);
            } else {
                say("0");
            }
        }
    }

    private void addNamed(Object value, TypeDefinition definition) {
        if (definition instanceof Typedef typedef) {
            add(value, typedef.target());
        } else if (definition instanceof Structure structure) {
            if (value instanceof List<?> elements) {
                addLinked(elements, structure, protocol.link(structure).orElseThrow());
                return;
            }
            List<Object> components = components(value);
            for (int i = 0; i < components.size(); i++) {
                add(components.get(i), structure.fields().get(i).type());
            }
        } else if (definition instanceof Union union) {
            addUnion(value, union);
        } else {
            say(String.valueOf(wire((XdrValue) value)));
        }
    }

    private void addUnion(Object value, Union union) {
        if (NumbersOf.isOptional(value) || value instanceof List) {
            addOptional(value, union.arm(1).flatMap(Arm::field).orElseThrow().type());
            return;
        }
        Class<?> sealed = value.getClass().getInterfaces()[0];
        int index = Arrays.asList(sealed.getPermittedSubclasses()).indexOf(value.getClass());
        Optional<Field> field = union.allArms().toList().get(index).field();
        List<Object> components = components(value);
        if (components.size() > field.stream().count()) {
            add(components.get(0), union.discriminant().type());
        } else {
            say(String.valueOf(impliedDiscriminant(union, index)));
        }
        field.ifPresent(each -> add(components.get(components.size() - 1), each.type()));
    }

    /** The discriminant of an arm that only one value selects. */
    private static long impliedDiscriminant(Union union, int index) {
        return index < union.arms().size()
                ? union.arms().get(index).cases().get(0).value()
                : 1 - union.arms().get(0).cases().get(0).value();
    }

    private static String scalar(Object value, Primitive primitive) {
        return switch (primitive) {
            case BOOL -> (boolean) value ? "1" : "0";
            case UNSIGNED_HYPER -> Long.toUnsignedString((long) value);
            case FLOAT -> "%08x".formatted(Float.floatToRawIntBits((float) value));
            case DOUBLE -> "%016x".formatted(Double.doubleToRawLongBits((double) value));
            case QUADRUPLE -> "16:%016x%016x".formatted(((XdrQuadruple) value).high(), ((XdrQuadruple) value).low());
            case INT, UNSIGNED_INT, HYPER -> value.toString();
            case VOID -> throw new IllegalArgumentException("void has no values");
        };
    }

    private static String bytes(Object value) {
        byte[] bytes;
        if (value instanceof XdrOpaque opaque) {
            bytes = opaque.bytes();
        } else if (value instanceof XdrString string) {
            bytes = string.bytes();
        } else {
            bytes = bytes((Payload) value);
        }
        return bytes.length + ":" + HexFormat.of().formatHex(bytes);
    }

    static byte[] bytes(Payload payload) {
        try {
            byte[] bytes = new byte[(int) payload.length()];
            payload.buffer().duplicate().get(bytes);
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int wire(XdrValue enumerator) {
        XdrEncoder out = XdrEncoder.onHeap();
        enumerator.encode(out);
        ByteBuffer stream = out.finish().stream();
        return stream.getInt();
    }

    private static List<Object> components(Object record) {
        return Arrays.stream(record.getClass().getRecordComponents())
                .map(component -> component(record, component))
                .toList();
    }

    private static Object component(Object record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(component + " of a " + record.getClass() + " cannot be read", e);
        }
    }

    private void say(String word) {
        text.append(' ').append(word);
    }
}
