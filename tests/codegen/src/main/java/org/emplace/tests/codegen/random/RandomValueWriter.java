// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.TypeClauses;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Arm;
import org.emplace.compiler.model.TypeDefinition.CaseValue;
import org.emplace.compiler.model.TypeDefinition.Enumeration;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Typedef;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;
import org.emplace.xdr.XdrOpaque;

/** Writes random values in the encoding of RFC 4506 and as text. Strings have no zero byte, because C ends a string there. */
final class RandomValueWriter {
    /** From this depth on, values are as small as possible, so that recursive types end. */
    private static final int DEEP = 12;

    /** The same once this many bytes have been written. */
    private static final int LARGE = 4096;

    private static final int LONGEST_BYTES = 40;
    private static final int LONGEST_ARRAY = 5;
    private static final List<Integer> INTS = List.of(0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE);
    private static final List<Long> LONGS =
            List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 0xffff_ffffL, 1L << 32);
    private static final List<Float> FLOATS = List.of(
            0f, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, -Float.MAX_VALUE);
    private static final List<Double> DOUBLES = List.of(
            0d,
            -0d,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.MIN_VALUE,
            -Double.MAX_VALUE);

    private final Protocol protocol;
    private final TypeClauses clauses;
    private final Random random;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringBuilder text = new StringBuilder();

    RandomValueWriter(Protocol protocol, TypeClauses clauses, Random random) {
        this.protocol = protocol;
        this.clauses = clauses;
        this.random = random;
    }

    RandomValue finish() {
        return new RandomValue(XdrOpaque.of(out.toByteArray()), text.toString());
    }

    void write(XdrType type) {
        write(type, 0);
    }

    private void write(XdrType type, int depth) {
        if (type instanceof XdrType.Primitive primitive) {
            writePrimitive(primitive);
        } else if (type instanceof XdrType.FixedOpaque opaque) {
            writeBytes((int) opaque.size(), 0);
        } else if (type instanceof XdrType.VariableOpaque opaque) {
            writeCountedBytes(length(opaque.max(), LONGEST_BYTES, depth), 0);
        } else if (type instanceof XdrType.StringType string) {
            writeCountedBytes(length(string.max(), LONGEST_BYTES, depth), 1);
        } else if (type instanceof XdrType.FixedArray array) {
            say(String.valueOf(array.size()));
            writeElements(array.element(), (int) array.size(), depth);
        } else if (type instanceof XdrType.VariableArray array) {
            int length = length(array.max(), LONGEST_ARRAY, depth);
            writeInt(length);
            say(String.valueOf(length));
            writeElements(array.element(), length, depth);
        } else if (type instanceof XdrType.Optional optional) {
            int count = length(1, 1, depth);
            writeInt(count);
            say(String.valueOf(count));
            writeElements(optional.element(), count, depth);
        } else if (type instanceof XdrType.Reference reference) {
            write(protocol.type(reference.name()), depth + 1);
        }
    }

    private void write(TypeDefinition definition, int depth) {
        if (definition instanceof Typedef typedef) {
            write(typedef.target(), depth);
        } else if (definition instanceof Enumeration enumeration) {
            writeSaidInt(
                    isOpen(enumeration) && random.nextInt(3) == 0
                            ? someInt()
                            : oneOf(enumeration.enumerators()).value());
        } else if (definition instanceof Structure structure) {
            structure.fields().forEach(field -> write(field.type(), depth));
        } else if (definition instanceof Union union) {
            write(union, depth);
        }
    }

    private boolean isOpen(Enumeration enumeration) {
        return clauses.openEnums().contains(enumeration.name());
    }

    private void write(Union union, int depth) {
        Set<Integer> cases = union.arms().stream()
                .flatMap(arm -> arm.cases().stream())
                .map(CaseValue::value)
                .map(Long::intValue)
                .collect(Collectors.toSet());
        List<Integer> others =
                union.defaultArm().isPresent() ? otherDiscriminants(union.discriminant(), cases) : List.of();
        int pick = random.nextInt(union.arms().size() + (others.isEmpty() ? 0 : 1));
        if (pick < union.arms().size()) {
            Arm arm = union.arms().get(pick);
            writeDiscriminant(union, (int) oneOf(arm.cases()).value());
            arm.field().ifPresent(field -> write(field.type(), depth));
        } else {
            writeDiscriminant(union, oneOf(others));
            union.defaultArm().flatMap(Arm::field).ifPresent(field -> write(field.type(), depth));
        }
    }

    private void writeDiscriminant(Union union, int value) {
        writeInt(value);
        boolean isUnsigned = protocol.resolve(union.discriminant().type()) == XdrType.Primitive.UNSIGNED_INT;
        say(isUnsigned ? Integer.toUnsignedString(value) : String.valueOf(value));
    }

    /** Values that select the default arm; none if the cases cover all. */
    private List<Integer> otherDiscriminants(Field discriminant, Set<Integer> cases) {
        XdrType type = protocol.resolve(discriminant.type());
        if (type instanceof XdrType.Reference reference
                && protocol.type(reference.name()) instanceof Enumeration enumeration
                && !isOpen(enumeration)) {
            return enumeration.enumerators().stream()
                    .map(TypeDefinition.Enumerator::value)
                    .filter(value -> !cases.contains(value))
                    .toList();
        }
        List<Integer> some = type == XdrType.Primitive.BOOL ? List.of(0, 1) : List.of(0, 1, 77, -1, random.nextInt());
        return some.stream().filter(value -> !cases.contains(value)).toList();
    }

    private void writePrimitive(XdrType.Primitive primitive) {
        switch (primitive) {
            case BOOL -> writeSaidInt(random.nextInt(2));
            case INT -> writeSaidInt(someInt());
            case UNSIGNED_INT -> {
                int value = someInt();
                writeInt(value);
                say(Integer.toUnsignedString(value));
            }
            case HYPER -> {
                long value = someLong();
                writeLong(value);
                say(String.valueOf(value));
            }
            case UNSIGNED_HYPER -> {
                long value = someLong();
                writeLong(value);
                say(Long.toUnsignedString(value));
            }
            case FLOAT -> {
                int bits = Float.floatToRawIntBits(random.nextBoolean() ? oneOf(FLOATS) : random.nextFloat());
                writeInt(bits);
                say("%08x".formatted(bits));
            }
            case DOUBLE -> {
                long bits = Double.doubleToRawLongBits(random.nextBoolean() ? oneOf(DOUBLES) : random.nextGaussian());
                writeLong(bits);
                say("%016x".formatted(bits));
            }
            case QUADRUPLE -> writeBytes(16, 0);
            case VOID -> {}
        }
    }

    private int someInt() {
        return random.nextBoolean() ? random.nextInt() : oneOf(INTS);
    }

    private long someLong() {
        return random.nextBoolean() ? random.nextLong() : oneOf(LONGS);
    }

    private void writeElements(XdrType element, int count, int depth) {
        for (int i = 0; i < count; i++) {
            write(element, depth + 1);
        }
    }

    private void writeCountedBytes(int length, int smallest) {
        writeInt(length);
        writeBytes(length, smallest);
    }

    /** @param smallest the smallest byte */
    private void writeBytes(int length, int smallest) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (smallest + random.nextInt(256 - smallest));
        }
        out.writeBytes(bytes);
        for (int i = length; i % 4 != 0; i++) {
            out.write(0);
        }
        say(length + ":" + HexFormat.of().formatHex(bytes));
    }

    /** A length from 0 to the largest allowed. Each of these two is as likely as all lengths between them. */
    private int length(long max, int longest, int depth) {
        int most = (int) Math.min(max, longest);
        if (depth >= DEEP || out.size() >= LARGE || random.nextInt(4) == 0) {
            return 0;
        }
        return random.nextInt(4) == 0 ? most : random.nextInt(most + 1);
    }

    private void writeSaidInt(int value) {
        writeInt(value);
        say(String.valueOf(value));
    }

    private void writeInt(int value) {
        out.writeBytes(ByteBuffer.allocate(4).putInt(value).array());
    }

    private void writeLong(long value) {
        out.writeBytes(ByteBuffer.allocate(8).putLong(value).array());
    }

    private void say(String word) {
        text.append(' ').append(word);
    }

    private <T> T oneOf(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
