// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Optional-data of numbers (RFC 4506 section 4.19), without an object for the number. */
public final class XdrOptionalNumbers {
    private XdrOptionalNumbers() {}

    /** Writes an optional {@code int}. */
    public static void writeInt(XdrEncoder out, OptionalInt value) {
        out.writeBoolean(value.isPresent());
        if (value.isPresent()) {
            out.writeInt(value.getAsInt());
        }
    }

    /**
     * Writes an optional {@code unsigned int}.
     *
     * @throws IllegalArgumentException if the number is not from 0 to 2³²-1
     */
    public static void writeUnsignedInt(XdrEncoder out, OptionalLong value) {
        out.writeBoolean(value.isPresent());
        if (value.isPresent()) {
            out.writeUnsignedInt(value.getAsLong());
        }
    }

    /** Writes an optional {@code hyper}. */
    public static void writeHyper(XdrEncoder out, OptionalLong value) {
        out.writeBoolean(value.isPresent());
        if (value.isPresent()) {
            out.writeHyper(value.getAsLong());
        }
    }

    /** Writes an optional {@code unsigned hyper}, given as its 64 bits. */
    public static void writeUnsignedHyper(XdrEncoder out, OptionalLong bits) {
        writeHyper(out, bits);
    }

    /** Writes an optional {@code double}. */
    public static void writeDouble(XdrEncoder out, OptionalDouble value) {
        out.writeBoolean(value.isPresent());
        if (value.isPresent()) {
            out.writeDouble(value.getAsDouble());
        }
    }

    /** Reads an optional {@code int}. */
    public static OptionalInt readInt(XdrDecoder in) throws XdrException {
        return in.readBoolean() ? OptionalInt.of(in.readInt()) : OptionalInt.empty();
    }

    /** Reads an optional {@code unsigned int}. */
    public static OptionalLong readUnsignedInt(XdrDecoder in) throws XdrException {
        return in.readBoolean() ? OptionalLong.of(in.readUnsignedInt()) : OptionalLong.empty();
    }

    /** Reads an optional {@code hyper}. */
    public static OptionalLong readHyper(XdrDecoder in) throws XdrException {
        return in.readBoolean() ? OptionalLong.of(in.readHyper()) : OptionalLong.empty();
    }

    /** Reads an optional {@code unsigned hyper} as its 64 bits. */
    public static OptionalLong readUnsignedHyper(XdrDecoder in) throws XdrException {
        return readHyper(in);
    }

    /** Reads an optional {@code double}. */
    public static OptionalDouble readDouble(XdrDecoder in) throws XdrException {
        return in.readBoolean() ? OptionalDouble.of(in.readDouble()) : OptionalDouble.empty();
    }
}
