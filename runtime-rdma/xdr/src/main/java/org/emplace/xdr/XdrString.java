// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An immutable value of the XDR {@code string} type (RFC 4506 section 4.11): bytes that are usually text. Few protocols
 * define the text's encoding, so the bytes are kept as they are, even if they are not UTF-8. Two strings are equal if
 * their bytes are equal; the order is that of unsigned bytes.
 */
public final class XdrString implements Comparable<XdrString> {
    private final byte[] bytes;

    /** Takes ownership of the array, which must not change from now on. */
    XdrString(byte[] owned) {
        this.bytes = owned;
    }

    /** Returns a string with the text in UTF-8. */
    public static XdrString of(String text) {
        return new XdrString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a string with a copy of these bytes. */
    public static XdrString of(byte[] bytes) {
        return new XdrString(bytes.clone());
    }

    /** The number of bytes. */
    public int length() {
        return bytes.length;
    }

    /** Returns a copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
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
    public int compareTo(XdrString other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof XdrString that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Decodes the bytes as UTF-8. Malformed input becomes the replacement character. */
    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
