// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * Bytes that mean something to a client only, such as the name of a lock owner. Immutable; equal if the bytes are. Comparable, because a client can choose
 * many with one hash code: maps then find them in logarithmic time.
 */
public final class Opaque implements Comparable<Opaque> {
    private final byte[] bytes;

    /** Copies the bytes. */
    public Opaque(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    int length() {
        return bytes.length;
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Opaque opaque && Arrays.equals(bytes, opaque.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public int compareTo(Opaque other) {
        return Arrays.compare(bytes, other.bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
