// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** An immutable value of an XDR {@code opaque} type (RFC 4506 sections 4.9 and 4.10). Equal where the bytes are equal. */
public final class XdrOpaque {
    /** No bytes. */
    public static final XdrOpaque EMPTY = new XdrOpaque(new byte[0]);

    private final byte[] bytes;

    /** Takes the array over: it must not escape. */
    XdrOpaque(byte[] owned) {
        this.bytes = owned;
    }

    /** A copy of these bytes. */
    public static XdrOpaque of(byte... bytes) {
        return bytes.length == 0 ? EMPTY : new XdrOpaque(bytes.clone());
    }

    /** The bytes of a text in UTF-8; many protocols declare text as opaque data. */
    public static XdrOpaque ofUtf8(String text) {
        return new XdrOpaque(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A copy of the buffer's bytes between position and limit; the buffer's position is not changed. */
    public static XdrOpaque copyOf(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return new XdrOpaque(copy);
    }

    /** The number of bytes. */
    public int length() {
        return bytes.length;
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The bytes read as UTF-8; what is not UTF-8 shows as the replacement character. */
    public String utf8() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** A read-only view of the bytes, position 0. */
    public ByteBuffer asReadOnlyBuffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    /** The bytes themselves, to be read only. */
    byte[] owned() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof XdrOpaque that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The bytes in hexadecimal. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
