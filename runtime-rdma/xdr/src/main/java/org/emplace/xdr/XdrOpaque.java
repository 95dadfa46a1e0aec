// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable value of an XDR {@code opaque} type (RFC 4506 sections 4.9 and 4.10). Two values are equal if their
 * bytes are equal.
 */
public final class XdrOpaque {
    /** The value without bytes. */
    public static final XdrOpaque EMPTY = new XdrOpaque(new byte[0]);

    private final byte[] bytes;

    /** Takes ownership of the array, which must not change from now on. */
    XdrOpaque(byte[] owned) {
        this.bytes = owned;
    }

    /** Returns a value with a copy of these bytes. */
    public static XdrOpaque of(byte... bytes) {
        return bytes.length == 0 ? EMPTY : new XdrOpaque(bytes.clone());
    }

    /** Returns a value with the text in UTF-8. Many protocols declare text as opaque data. */
    public static XdrOpaque ofUtf8(String text) {
        return new XdrOpaque(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a value with a copy of the bytes between the buffer's position and limit, neither of which changes. */
    public static XdrOpaque copyOf(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return new XdrOpaque(copy);
    }

    /** The number of bytes. */
    public int length() {
        return bytes.length;
    }

    /** Returns a copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Decodes the bytes as UTF-8. Malformed input becomes the replacement character. */
    public String utf8() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns a new read-only view of the bytes, with position 0. */
    public ByteBuffer asReadOnlyBuffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    /** The array itself, which callers must not change. */
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
