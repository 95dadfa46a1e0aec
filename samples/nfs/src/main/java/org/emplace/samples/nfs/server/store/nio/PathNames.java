// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import org.emplace.samples.nfs.path.PathBytes;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/** Converts between the bytes of names on the wire and paths. Accepts any bytes if the file system's names are bytes, otherwise only UTF-8. */
record PathNames(FileSystem files, boolean bytesAreNames) {
    /** The most bytes of a name. Java does not report the limit; most file systems permit this. */
    static final int LONGEST = 255;

    /**
     * A path of one element.
     *
     * @throws StoreException of ACCES if the bytes are not a name here (RFC 1813 section 3.2); "." and ".." are names like any other
     */
    Path name(FileName name) throws StoreException {
        byte[] bytes = name.required();
        if (bytes.length > LONGEST) {
            throw new StoreException(Failure.NAMETOOLONG, "a file name of " + bytes.length + " bytes");
        }
        Path path = path(bytes);
        // On Windows, D:x is not absolute, has one element, and is not below the directory that it is resolved against.
        if (!path.equals(path.getFileName())) {
            throw new StoreException(Failure.ACCES, "not a name in this file system: " + name);
        }
        return path;
    }

    /** A path's last element. */
    FileName fileName(Path path) {
        return new FileName(bytes(path.getFileName()));
    }

    /**
     * The target of a new symbolic link. It is not interpreted.
     *
     * @throws StoreException of NOTSUPP if a path cannot hold exactly these bytes, as Java writes repeated slashes once
     */
    Path target(byte[] bytes) throws StoreException {
        for (byte b : bytes) {
            if (b == 0) {
                throw new StoreException(Failure.INVAL, "a symbolic link with a NUL");
            }
        }
        if (bytes.length == 0) {
            throw new StoreException(Failure.INVAL, "an empty symbolic link");
        }
        // Only the conversion through bytes keeps a slash at the end.
        Path target = bytesAreNames ? PathBytes.path(bytes) : path(bytes);
        if (!Arrays.equals(targetBytes(target), bytes)) {
            throw new StoreException(Failure.NOTSUPP, "Java cannot make a symbolic link of these bytes: " + target);
        }
        return target;
    }

    /** The bytes of a symbolic link's target. */
    byte[] targetBytes(Path target) {
        return bytes(target);
    }

    private byte[] bytes(Path path) {
        return bytesAreNames ? PathBytes.of(path) : path.toString().getBytes(StandardCharsets.UTF_8);
    }

    private Path path(byte[] bytes) throws StoreException {
        try {
            if (bytesAreNames) {
                return isAscii(bytes)
                        ? files.getPath(new String(bytes, StandardCharsets.US_ASCII))
                        : PathBytes.path(bytes);
            }
            return files.getPath(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException | InvalidPathException e) {
            throw new StoreException(Failure.ACCES, "the file system cannot hold the name: " + e.getMessage());
        }
    }

    private static boolean isAscii(byte[] bytes) {
        for (byte b : bytes) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }
}
