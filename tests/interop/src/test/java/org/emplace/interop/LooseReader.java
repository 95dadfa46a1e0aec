// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.binding.TypeClauses;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Enumeration;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Typedef;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;
import org.emplace.interop.LooseReading.Liberty;
import org.emplace.xdr.XdrOpaque;

/** Reads values by their protocol types, without the decoders under test. */
final class LooseReader {

    /** The bytes are not a value, not even to libtirpc. */
    static final class NoValueException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final Protocol protocol;
    private final TypeClauses clauses;
    private final ByteBuffer in;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder textInC = new StringBuilder();
    private final Set<Liberty> liberties = EnumSet.noneOf(Liberty.class);

    LooseReader(Protocol protocol, TypeClauses clauses, XdrOpaque bytes) {
        this.protocol = protocol;
        this.clauses = clauses;
        this.in = bytes.asReadOnlyBuffer();
    }

    boolean isAtEnd() {
        return !in.hasRemaining();
    }

    LooseReading finish() {
        return new LooseReading(text.toString(), textInC.toString(), liberties);
    }

    void read(XdrType type) {
        if (type instanceof XdrType.Primitive primitive) {
            readPrimitive(primitive);
        } else if (type instanceof XdrType.FixedOpaque opaque) {
            readBytes(opaque.size(), false);
        } else if (type instanceof XdrType.VariableOpaque opaque) {
            readBytes(readCount(opaque.max()), false);
        } else if (type instanceof XdrType.StringType string) {
            readBytes(readCount(string.max()), true);
        } else if (type instanceof XdrType.FixedArray array) {
            readElements(array.element(), array.size());
        } else if (type instanceof XdrType.VariableArray array) {
            readElements(array.element(), readCount(array.max()));
        } else if (type instanceof XdrType.Optional optional) {
            readElements(optional.element(), readBool());
        } else if (type instanceof XdrType.Reference reference) {
            read(protocol.type(reference.name()));
        }
    }

    private void read(TypeDefinition definition) {
        if (definition instanceof Typedef typedef) {
            read(typedef.target());
        } else if (definition instanceof Enumeration enumeration) {
            int value = readInt();
            takeEnumerator(enumeration, value);
            say(String.valueOf(value));
        } else if (definition instanceof Structure structure) {
            structure.fields().forEach(field -> read(field.type()));
        } else if (definition instanceof Union union) {
            read(union);
        }
    }

    private void read(Union union) {
        XdrType type = protocol.resolve(union.discriminant().type());
        boolean isUnsigned = type == XdrType.Primitive.UNSIGNED_INT;
        int value = type == XdrType.Primitive.BOOL ? readBool() : readInt();
        if (type instanceof XdrType.Reference reference
                && protocol.type(reference.name()) instanceof Enumeration enumeration) {
            takeEnumerator(enumeration, value);
        }
        say(isUnsigned ? Integer.toUnsignedString(value) : String.valueOf(value));
        arm(union, isUnsigned ? Integer.toUnsignedLong(value) : value).ifPresent(field -> read(field.type()));
    }

    private static Optional<Field> arm(Union union, long value) {
        for (TypeDefinition.Arm arm : union.arms()) {
            if (arm.cases().stream().anyMatch(each -> each.value() == value)) {
                return arm.field();
            }
        }
        return union.defaultArm().orElseThrow(NoValueException::new).field();
    }

    private void takeEnumerator(Enumeration enumeration, int value) {
        if (!clauses.openEnums().contains(enumeration.name())
                && enumeration.enumerators().stream().noneMatch(each -> each.value() == value)) {
            liberties.add(Liberty.UNKNOWN_ENUMERATOR);
        }
    }

    private void readPrimitive(XdrType.Primitive primitive) {
        switch (primitive) {
            case BOOL -> say(String.valueOf(readBool()));
            case INT -> say(String.valueOf(readInt()));
            case UNSIGNED_INT -> say(Integer.toUnsignedString(readInt()));
            case HYPER -> say(String.valueOf(need(Long.BYTES).getLong()));
            case UNSIGNED_HYPER -> say(Long.toUnsignedString(need(Long.BYTES).getLong()));
            case FLOAT -> say("%08x".formatted(readInt()));
            case DOUBLE -> say("%016x".formatted(need(Long.BYTES).getLong()));
            case QUADRUPLE -> readBytes(16, false);
            case VOID -> {}
        }
    }

    /** Reads a bool as libtirpc does: 0 for FALSE, 1 for any other number. */
    private int readBool() {
        int value = readInt();
        if (value != 0 && value != 1) {
            liberties.add(Liberty.OTHER_BOOL);
        }
        return value == 0 ? 0 : 1;
    }

    private int readInt() {
        return need(Integer.BYTES).getInt();
    }

    private long readCount(long max) {
        long count = Integer.toUnsignedLong(readInt());
        if (count > max) {
            throw new NoValueException();
        }
        return count;
    }

    private void readElements(XdrType element, long count) {
        say(String.valueOf(count));
        for (long i = 0; i < count; i++) {
            read(element);
        }
    }

    private void readBytes(long length, boolean isString) {
        long padding = -length & 3;
        need(length + padding);
        byte[] bytes = new byte[(int) length];
        in.get(bytes);
        in.position(in.position() + (int) padding);
        int end = 0;
        while (end < bytes.length && !(isString && bytes[end] == 0)) {
            end++;
        }
        if (end < bytes.length) {
            liberties.add(Liberty.ZERO_IN_STRING);
        }
        text.append(words(bytes));
        textInC.append(words(Arrays.copyOf(bytes, end)));
    }

    private static String words(byte[] bytes) {
        return " " + bytes.length + ":" + HexFormat.of().formatHex(bytes);
    }

    private ByteBuffer need(long bytes) {
        if (in.remaining() < bytes) {
            throw new NoValueException();
        }
        return in;
    }

    private void say(String word) {
        text.append(' ').append(word);
        textInC.append(' ').append(word);
    }
}
