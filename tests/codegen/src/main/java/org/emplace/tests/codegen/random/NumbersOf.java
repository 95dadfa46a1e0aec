// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDoubles;
import org.emplace.xdr.XdrFloats;
import org.emplace.xdr.XdrInts;
import org.emplace.xdr.XdrLongs;
import org.emplace.xdr.XdrNumbers;
import org.emplace.xdr.XdrUnsignedInts;

/** Converts numbers in arrays and optionals to objects. */
final class NumbersOf {
    private NumbersOf() {}

    static List<?> array(XdrNumbers numbers) {
        IntFunction<Object> element;
        if (numbers instanceof XdrInts ints) {
            element = ints::get;
        } else if (numbers instanceof XdrUnsignedInts ints) {
            element = ints::get;
        } else if (numbers instanceof XdrLongs longs) {
            element = longs::get;
        } else if (numbers instanceof XdrFloats floats) {
            element = floats::get;
        } else {
            element = ((XdrDoubles) numbers)::get;
        }
        return IntStream.range(0, numbers.size()).mapToObj(element).toList();
    }

    static boolean isOptional(Object value) {
        return value instanceof Optional
                || value instanceof OptionalInt
                || value instanceof OptionalLong
                || value instanceof OptionalDouble;
    }

    /** An optional of any kind. */
    static Optional<?> optional(Object value) {
        if (value instanceof OptionalInt number) {
            return number.stream().boxed().findFirst();
        }
        if (value instanceof OptionalLong number) {
            return number.stream().boxed().findFirst();
        }
        return value instanceof OptionalDouble number ? number.stream().boxed().findFirst() : (Optional<?>) value;
    }

    static List<?> payload(Payload payload, Primitive element) {
        ByteBuffer bytes = ByteBuffer.wrap(ValueText.bytes(payload));
        List<Object> numbers = new ArrayList<>();
        while (bytes.hasRemaining()) {
            numbers.add(
                    switch (element) {
                        case INT -> bytes.getInt();
                        case UNSIGNED_INT -> Integer.toUnsignedLong(bytes.getInt());
                        case HYPER, UNSIGNED_HYPER -> bytes.getLong();
                        case FLOAT -> bytes.getFloat();
                        case DOUBLE -> bytes.getDouble();
                        case QUADRUPLE, BOOL, VOID -> throw new IllegalArgumentException(element.name());
                    });
        }
        return numbers;
    }
}
