// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.handle;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;

/**
 * Makes handles from file ids and back: version, generation, device, inode, then a message authentication code over these, 40 bytes in all.
 * Without the export's key nobody can make a handle that {@link #decode} takes, so a client holds only handles that it was given. Safe for
 * use by several threads.
 */
public final class HandleCodec {
    private static final int VERSION = 1;
    private static final int CONTENT = 24;
    private static final int CODE = 16;

    private final HandleKey key;

    /** @param key the export's own */
    public HandleCodec(HandleKey key) {
        this.key = key;
    }

    /** The handle of a file. The same file has the same handle as long as the key is the same. */
    public FileHandle encode(FileId id) {
        ByteBuffer handle = ByteBuffer.allocate(CONTENT + CODE)
                .putInt(VERSION)
                .putInt(id.generation())
                .putLong(id.key().device())
                .putLong(id.key().inode());
        handle.put(code(handle.array()), 0, CODE);
        return new FileHandle(handle.array());
    }

    /** The file that a handle names; empty if this server did not make the handle. */
    public Optional<FileId> decode(FileHandle handle) {
        byte[] bytes = handle.bytes();
        if (bytes.length != CONTENT + CODE) {
            return Optional.empty();
        }
        byte[] given = Arrays.copyOfRange(bytes, CONTENT, CONTENT + CODE);
        byte[] right = Arrays.copyOf(code(bytes), CODE);
        ByteBuffer content = ByteBuffer.wrap(bytes);
        if (!MessageDigest.isEqual(given, right) || content.getInt() != VERSION) {
            return Optional.empty();
        }
        int generation = content.getInt();
        return Optional.of(new FileId(new FileKey(content.getLong(), content.getLong()), generation));
    }

    private byte[] code(byte[] handle) {
        return key.authenticate(handle, CONTENT);
    }
}
