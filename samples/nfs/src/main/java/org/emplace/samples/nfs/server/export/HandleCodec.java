// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.FileId;

/**
 * Encodes an export and a file id as a file handle, and decodes it: a version (1 byte), the export's number (4), the id (up to {@value
 * FileId#LONGEST}), and a message authentication code (13) over these. RFC 1813 limits handles to 64 bytes. Without the key nobody can
 * forge a handle that {@link #decode} accepts. Safe for use by several threads.
 */
final class HandleCodec {
    private static final byte VERSION = 2;
    private static final int HEAD = 1 + Integer.BYTES;

    /** 104 bits: as many as fit into 64 bytes. RFC 2104 recommends at least 80. */
    private static final int CODE = 64 - HEAD - FileId.LONGEST;

    private final HandleKey key;

    HandleCodec(HandleKey key) {
        this.key = key.derive("handles");
    }

    /** A file of an export. */
    record Named(int export, FileId file) {}

    /** The handle of a file. It changes only with the key. */
    byte[] encode(Named file) {
        byte[] id = file.file().bytes();
        ByteBuffer handle = ByteBuffer.allocate(HEAD + id.length + CODE)
                .put(VERSION)
                .putInt(file.export())
                .put(id);
        handle.put(code(handle.array()), 0, CODE);
        return handle.array();
    }

    /** The file of a handle; empty if this server did not make the handle. */
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
