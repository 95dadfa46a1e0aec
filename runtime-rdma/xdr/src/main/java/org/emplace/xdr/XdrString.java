// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An immutable value of the XDR {@code string} type (RFC 4506 section 4.11): bytes, kept as they are. Most protocols carry text in them,
 * but few say in which encoding, so nothing is lost where it is not UTF-8. Equal where the bytes are equal; ordered by unsigned bytes.
 */
public final class XdrString implements Comparable<XdrString> {
    private final byte[] bytes;

    /** Takes the array over: it must not escape. */
    XdrString(byte[] owned) {
        this.bytes = owned;
    }

    /** The text in UTF-8. */
    public static XdrString of(String text) {
        return new XdrString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A copy of these bytes. */
    public static XdrString of(byte[] bytes) {
        return new XdrString(bytes.clone());
    }

    /** The number of bytes. */
    public int length() {
        return bytes.length;
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
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

    /** The bytes read as UTF-8; what is not UTF-8 shows as the replacement character. */
    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
