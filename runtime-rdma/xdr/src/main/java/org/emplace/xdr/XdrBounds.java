// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The checks that constructors of generated records make, so that a value which cannot be encoded cannot be made. All throw
 * {@link IllegalArgumentException} with the field's name, and {@link NullPointerException} with it if the value is null.
 */
public final class XdrBounds {
    private XdrBounds() {}

    /** An unmodifiable copy of a list. */
    public static <T> List<T> list(List<T> value, String field) {
        return List.copyOf(Objects.requireNonNull(value, field));
    }

    /** An unmodifiable copy of a list of at most {@code max} elements. */
    public static <T> List<T> list(List<T> value, String field, long max) {
        requireAtMost(Objects.requireNonNull(value, field).size(), field, max, "elements");
        return List.copyOf(value);
    }

    /** An unmodifiable copy of a list of exactly {@code size} elements. */
    public static <T> List<T> fixedList(List<T> value, String field, int size) {
        requireExactly(Objects.requireNonNull(value, field).size(), field, size, "elements");
        return List.copyOf(value);
    }

    /** An unmodifiable copy of a list of one element or more. */
    public static <T> List<T> nonEmptyList(List<T> value, String field) {
        if (Objects.requireNonNull(value, field).isEmpty()) {
            throw new IllegalArgumentException(field + " is empty, the protocol demands an element");
        }
        return List.copyOf(value);
    }

    /** Bytes, at most {@code max}. */
    public static XdrOpaque opaque(XdrOpaque value, String field, long max) {
        requireAtMost(Objects.requireNonNull(value, field).length(), field, max, "bytes");
        return value;
    }

    /** Exactly {@code size} bytes. */
    public static XdrOpaque fixedOpaque(XdrOpaque value, String field, int size) {
        requireExactly(Objects.requireNonNull(value, field).length(), field, size, "bytes");
        return value;
    }

    /** A string of at most {@code max} bytes. */
    public static XdrString string(XdrString value, String field, long max) {
        requireAtMost(Objects.requireNonNull(value, field).length(), field, max, "bytes");
        return value;
    }

    /** A payload of at most {@code max} bytes. */
    public static Payload payload(Payload value, String field, long max) {
        requireAtMost(Objects.requireNonNull(value, field).length(), field, max, "bytes");
        return value;
    }

    /** A payload of exactly {@code size} bytes. */
    public static Payload fixedPayload(Payload value, String field, int size) {
        requireExactly(Objects.requireNonNull(value, field).length(), field, size, "bytes");
        return value;
    }

    /** A payload of an array: at most {@code max} elements of {@code elementSize} bytes. */
    public static Payload payload(Payload value, String field, long max, int elementSize) {
        requireWhole(value, field, elementSize);
        requireAtMost(value.length() / elementSize, field, max, "elements");
        return value;
    }

    /** A payload of an array: exactly {@code size} elements of {@code elementSize} bytes. */
    public static Payload fixedPayload(Payload value, String field, int size, int elementSize) {
        requireWhole(value, field, elementSize);
        requireExactly(value.length() / elementSize, field, size, "elements");
        return value;
    }

    /** At most {@code max} numbers. */
    public static <T extends XdrNumbers> T numbers(T value, String field, long max) {
        requireAtMost(Objects.requireNonNull(value, field).size(), field, max, "elements");
        return value;
    }

    /** Exactly {@code size} numbers. */
    public static <T extends XdrNumbers> T fixedNumbers(T value, String field, int size) {
        requireExactly(Objects.requireNonNull(value, field).size(), field, size, "elements");
        return value;
    }

    /** A set of bits in at most {@code max} words. */
    public static XdrBits bits(XdrBits value, String field, long max) {
        requireAtMost(Objects.requireNonNull(value, field).usedWords(), field, max, "words");
        return value;
    }

    /** A number from 0 to 2³²-1. */
    public static long unsignedInt(long value, String field) {
        if (value >>> Integer.SIZE != 0) {
            throw new IllegalArgumentException(field + " is not an unsigned 32-bit number: " + value);
        }
        return value;
    }

    /** A number from 0 to 2³²-1, or none. */
    public static OptionalLong unsignedInt(OptionalLong value, String field) {
        Objects.requireNonNull(value, field).ifPresent(each -> unsignedInt(each, field));
        return value;
    }

    private static void requireWhole(Payload value, String field, int elementSize) {
        if (Objects.requireNonNull(value, field).length() % elementSize != 0) {
            throw new IllegalArgumentException(
                    field + " has " + value.length() + " bytes, which are no whole elements of " + elementSize);
        }
    }

    private static void requireAtMost(long length, String field, long max, String unit) {
        if (length > max) {
            throw new IllegalArgumentException(field + " has " + length + " " + unit + ", the protocol allows " + max);
        }
    }

    private static void requireExactly(long length, String field, int size, String unit) {
        if (length != size) {
            throw new IllegalArgumentException(
                    field + " has " + length + " " + unit + ", the protocol demands exactly " + size);
        }
    }
}
