// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.FileId;

/**
 * Makes handles from exports and file ids, and back: a version of 1 byte, the export's number in 4, the id in up to {@value FileId#LONGEST}, and a
 * message authentication code of 13 bytes over these; 64 bytes at most, as RFC 1813 wants. Without the key nobody can make a handle that {@link #decode}
 * takes, so a client holds only handles that it was given. Safe for use by several threads.
 */
final class HandleCodec {
    private static final byte VERSION = 2;
    private static final int HEAD = 1 + Integer.BYTES;

    /** What 64 bytes have room for: 104 bits, where RFC 2104 wants 80 at least. */
    private static final int CODE = 64 - HEAD - FileId.LONGEST;

    private final HandleKey key;

    HandleCodec(HandleKey key) {
        this.key = key.derive("handles");
    }

    /** A file of an export. */
    record Named(int export, FileId file) {}

    /** The handle of a file: the same as long as the key is the same. */
    byte[] encode(Named file) {
        byte[] id = file.file().bytes();
        ByteBuffer handle = ByteBuffer.allocate(HEAD + id.length + CODE)
                .put(VERSION)
                .putInt(file.export())
                .put(id);
        handle.put(code(handle.array()), 0, CODE);
        return handle.array();
    }

    /** The file that a handle names; empty if this server did not make the handle. */
    Optional<Named> decode(byte[] handle) {
        int idLength = handle.length - HEAD - CODE;
        if (idLength < 0 || idLength > FileId.LONGEST || handle[0] != VERSION) {
            return Optional.empty();
        }
        byte[] given = Arrays.copyOfRange(handle, HEAD + idLength, handle.length);
        if (!MessageDigest.isEqual(given, Arrays.copyOf(code(handle), CODE))) {
            return Optional.empty();
        }
        int export = ByteBuffer.wrap(handle).getInt(1);
        return Optional.of(new Named(export, new FileId(Arrays.copyOfRange(handle, HEAD, HEAD + idLength))));
    }

    private byte[] code(byte[] handle) {
        return key.authenticate(handle, handle.length - CODE);
    }
}
