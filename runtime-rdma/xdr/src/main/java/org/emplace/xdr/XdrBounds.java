// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Checks that the constructors of generated records make, so that every record can be encoded. Each method returns the
 * checked value or an unmodifiable copy. It throws {@link IllegalArgumentException} if the value is out of bounds, or
 * {@link NullPointerException} if it is null; either message has the field's name.
 */
public final class XdrBounds {
    private XdrBounds() {}

    /** Copies a list of any length. */
    public static <T> List<T> list(List<T> value, String field) {
        return List.copyOf(Objects.requireNonNull(value, field));
    }

    /** Copies a list of at most {@code max} elements. */
    public static <T> List<T> list(List<T> value, String field, long max) {
        requireAtMost(Objects.requireNonNull(value, field).size(), field, max, "elements");
        return List.copyOf(value);
    }

    /** Copies a list of exactly {@code size} elements. */
    public static <T> List<T> fixedList(List<T> value, String field, int size) {
        requireExactly(Objects.requireNonNull(value, field).size(), field, size, "elements");
        return List.copyOf(value);
    }

    /** Copies a list of at least one element. */
    public static <T> List<T> nonEmptyList(List<T> value, String field) {
        if (Objects.requireNonNull(value, field).isEmpty()) {
            throw new IllegalArgumentException(field + " is empty, but the protocol requires at least one element");
        }
        return List.copyOf(value);
    }

    /** Checks that a value has at most {@code max} bytes. */
    public static XdrOpaque opaque(XdrOpaque value, String field, long max) {
        requireAtMost(Objects.requireNonNull(value, field).length(), field, max, "bytes");
        return value;
    }

    /** Checks that a value has exactly {@code size} bytes. */
    public static XdrOpaque fixedOpaque(XdrOpaque value, String field, int size) {
        requireExactly(Objects.requireNonNull(value, field).length(), field, size, "bytes");
        return value;
    }

    /** Checks that a string has at most {@code max} bytes. */
    public static XdrString string(XdrString value, String field, long max) {
        requireAtMost(Objects.requireNonNull(value, field).length(), field, max, "bytes");
        return value;
    }

    /** Checks that a payload has at most {@code max} bytes. */
    public static Payload payload(Payload value, String field, long max) {
        requireAtMost(Objects.requireNonNull(value, field).length(), field, max, "bytes");
        return value;
    }

    /** Checks that a payload has exactly {@code size} bytes. */
    public static Payload fixedPayload(Payload value, String field, int size) {
        requireExactly(Objects.requireNonNull(value, field).length(), field, size, "bytes");
        return value;
    }

    /**
     * Checks that a payload is an array of at most {@code max} elements.
     *
     * @param elementSize bytes of an element
     */
    public static Payload payload(Payload value, String field, long max, int elementSize) {
        requireWhole(value, field, elementSize);
        requireAtMost(value.length() / elementSize, field, max, "elements");
        return value;
    }

    /**
     * Checks that a payload is an array of exactly {@code size} elements.
     *
     * @param elementSize bytes of an element
     */
    public static Payload fixedPayload(Payload value, String field, int size, int elementSize) {
        requireWhole(value, field, elementSize);
        requireExactly(value.length() / elementSize, field, size, "elements");
        return value;
    }

    /** Checks that an array has at most {@code max} numbers. */
    public static <T extends XdrNumbers> T numbers(T value, String field, long max) {
        requireAtMost(Objects.requireNonNull(value, field).size(), field, max, "elements");
        return value;
    }

    /** Checks that an array has exactly {@code size} numbers. */
    public static <T extends XdrNumbers> T fixedNumbers(T value, String field, int size) {
        requireExactly(Objects.requireNonNull(value, field).size(), field, size, "elements");
        return value;
    }

    /** Checks that a set of bits fits into {@code max} words. */
    public static XdrBits bits(XdrBits value, String field, long max) {
        requireAtMost(Objects.requireNonNull(value, field).usedWords(), field, max, "words");
        return value;
    }

    /** Checks that a number is from 0 to 2³²-1. */
    public static long unsignedInt(long value, String field) {
        if (value >>> Integer.SIZE != 0) {
            throw new IllegalArgumentException(field + " is not an unsigned 32-bit number: " + value);
        }
        return value;
    }

    /** Checks that a number, if there is one, is from 0 to 2³²-1. */
    public static OptionalLong unsignedInt(OptionalLong value, String field) {
        Objects.requireNonNull(value, field).ifPresent(each -> unsignedInt(each, field));
        return value;
    }

    private static void requireWhole(Payload value, String field, int elementSize) {
        if (Objects.requireNonNull(value, field).length() % elementSize != 0) {
            throw new IllegalArgumentException(field + " has " + value.length()
                    + " bytes, which is not a multiple of the element size " + elementSize);
        }
    }

    private static void requireAtMost(long length, String field, long max, String unit) {
        if (length > max) {
            throw new IllegalArgumentException(
                    field + " has " + length + " " + unit + ", but the protocol allows at most " + max);
        }
    }

    private static void requireExactly(long length, String field, int size, String unit) {
        if (length != size) {
            throw new IllegalArgumentException(
                    field + " has " + length + " " + unit + ", but the protocol requires exactly " + size);
        }
    }
}
