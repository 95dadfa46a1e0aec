// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.handle;

import java.util.Arrays;
import java.util.HexFormat;

/** The bytes that a client holds for a file. Any bytes can be in one: only {@link HandleCodec} tells whether they mean anything. */
public final class FileHandle {
    private final byte[] bytes;

    /** Copies the bytes. */
    public FileHandle(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileHandle handle && Arrays.equals(bytes, handle.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
