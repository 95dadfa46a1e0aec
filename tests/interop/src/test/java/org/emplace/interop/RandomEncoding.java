// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Arm;
import org.emplace.compiler.model.TypeDefinition.CaseValue;
import org.emplace.compiler.model.TypeDefinition.DefaultArm;
import org.emplace.compiler.model.TypeDefinition.Enumeration;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Typedef;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;
import org.emplace.xdr.XdrOpaque;

/**
 * Random values of a protocol's types as RFC 4506 encodes them, written without the encoders under test. The same seed gives the same
 * values. A string holds no zero byte, as C ends its strings there.
 */
final class RandomEncoding {
    /** From this depth on values are as small as they can be, or a recursive type would not end. */
    private static final int DEEP = 12;

    private static final int LONGEST_BYTES = 40;
    private static final int LONGEST_ARRAY = 4;

    private final Protocol protocol;
    private final Random random;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private RandomEncoding(Protocol protocol, Random random) {
        this.protocol = protocol;
        this.random = random;
    }

    static XdrOpaque of(XdrType type, Protocol protocol, Random random) {
        RandomEncoding encoding = new RandomEncoding(protocol, random);
        encoding.write(type, 0);
        return XdrOpaque.of(encoding.out.toByteArray());
    }

    private void write(XdrType type, int depth) {
        if (type instanceof XdrType.Primitive primitive) {
            writePrimitive(primitive);
        } else if (type instanceof XdrType.FixedOpaque opaque) {
            writeBytes((int) opaque.size(), 0);
        } else if (type instanceof XdrType.VariableOpaque opaque) {
            int length = length(opaque.max(), LONGEST_BYTES, depth);
            writeInt(length);
            writeBytes(length, 0);
        } else if (type instanceof XdrType.StringType string) {
            int length = length(string.max(), LONGEST_BYTES, depth);
            writeInt(length);
            writeBytes(length, 1);
        } else if (type instanceof XdrType.FixedArray array) {
            writeElements(array.element(), (int) array.size(), depth);
        } else if (type instanceof XdrType.VariableArray array) {
            int length = length(array.max(), LONGEST_ARRAY, depth);
            writeInt(length);
            writeElements(array.element(), length, depth);
        } else if (type instanceof XdrType.Optional optional) {
            int count = length(1, 1, depth);
            writeInt(count);
            writeElements(optional.element(), count, depth);
        } else if (type instanceof XdrType.Reference reference) {
            write(protocol.type(reference.name()), depth + 1);
        }
    }

    private void write(TypeDefinition definition, int depth) {
        if (definition instanceof Typedef typedef) {
            write(typedef.target(), depth);
        } else if (definition instanceof Enumeration enumeration) {
            writeInt(oneOf(enumeration.enumerators()).value());
        } else if (definition instanceof Structure structure) {
            structure.fields().forEach(field -> write(field.type(), depth));
        } else if (definition instanceof Union union) {
            write(union, depth);
        }
    }

    private void write(Union union, int depth) {
        int pick = random.nextInt(union.arms().size() + (union.defaultArm().isPresent() ? 1 : 0));
        if (pick < union.arms().size()) {
            Arm arm = union.arms().get(pick);
            writeInt((int) oneOf(arm.cases()).value());
            arm.field().ifPresent(field -> write(field.type(), depth));
            return;
        }
        Set<Integer> cases = union.arms().stream()
                .flatMap(arm -> arm.cases().stream())
                .map(CaseValue::value)
                .map(Long::intValue)
                .collect(Collectors.toSet());
        List<Integer> others = otherDiscriminants(union.discriminant(), cases);
        if (others.isEmpty()) {
            write(union, depth);
            return;
        }
        writeInt(oneOf(others));
        union.defaultArm().flatMap(DefaultArm::field).ifPresent(field -> write(field.type(), depth));
    }

    /** Values that select the default arm; none where the cases name them all. */
    private List<Integer> otherDiscriminants(Field discriminant, Set<Integer> cases) {
        XdrType type = protocol.resolve(discriminant.type());
        if (type instanceof XdrType.Reference reference
                && protocol.type(reference.name()) instanceof Enumeration enumeration) {
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
            case BOOL -> writeInt(random.nextInt(2));
            case INT, UNSIGNED_INT -> writeInt(random.nextBoolean() ? random.nextInt() : random.nextInt(3) - 1);
            case HYPER, UNSIGNED_HYPER -> writeLong(random.nextBoolean() ? random.nextLong() : random.nextInt(3) - 1);
            case FLOAT -> writeInt(Float.floatToIntBits(random.nextFloat()));
            case DOUBLE -> writeLong(Double.doubleToLongBits(random.nextGaussian()));
            case QUADRUPLE -> writeBytes(16, 0);
            case VOID -> {}
        }
    }

    private void writeElements(XdrType element, int count, int depth) {
        for (int i = 0; i < count; i++) {
            write(element, depth + 1);
        }
    }

    /** @param smallest the least value of a byte */
    private void writeBytes(int length, int smallest) {
        for (int i = 0; i < length; i++) {
            out.write(smallest + random.nextInt(256 - smallest));
        }
        for (int i = length; i % 4 != 0; i++) {
            out.write(0);
        }
    }

    private int length(long max, int longest, int depth) {
        return depth >= DEEP ? 0 : random.nextInt((int) Math.min(max, longest) + 1);
    }

    private void writeInt(int value) {
        out.writeBytes(ByteBuffer.allocate(4).putInt(value).array());
    }

    private void writeLong(long value) {
        out.writeBytes(ByteBuffer.allocate(8).putLong(value).array());
    }

    private <T> T oneOf(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
