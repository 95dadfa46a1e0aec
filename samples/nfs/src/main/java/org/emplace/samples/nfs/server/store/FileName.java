// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/** A name in a directory as clients send and receive it: bytes, which need not be UTF-8 and may not be a valid name. */
public final class FileName {
    private final byte[] bytes;

    /** Copies the bytes. */
    public FileName(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /** The name in UTF-8. */
    public static FileName of(String text) {
        return new FileName(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /**
     * A copy of the bytes, if they are a valid name in some file system. "." and ".." are valid.
     *
     * @throws StoreException of ACCES (RFC 1813 section 3.2)
     */
    public byte[] required() throws StoreException {
        if (bytes.length == 0) {
            throw new StoreException(Failure.ACCES, "an empty file name");
        }
        for (byte b : bytes) {
            if (b == 0 || b == '/') {
                throw new StoreException(Failure.ACCES, "a file name with a " + (b == 0 ? "NUL" : "slash"));
            }
        }
        return bytes();
    }

    /** Number of bytes. */
    public int length() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileName name && Arrays.equals(bytes, name.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
