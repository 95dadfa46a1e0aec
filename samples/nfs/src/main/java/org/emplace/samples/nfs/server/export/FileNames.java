// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.File;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;

/**
 * Between the bytes of names on the wire and paths. A protocol's names are bytes, and need not be UTF-8; a client has to get back what it
 * gave. Safe for use by several threads.
 */
interface FileNames {

    /** How the file system's names are translated. */
    static FileNames of(FileSystem fileSystem) {
        boolean unix = fileSystem == FileSystems.getDefault() && File.separatorChar == '/';
        return unix ? new RawFileNames() : new TextFileNames(fileSystem);
    }

    /**
     * A path of one element.
     *
     * @throws ExportException of ACCES if the bytes are not a name here (RFC 1813 section 3.2); "." and ".." are names like any other
     */
    Path name(FileName name) throws ExportException;

    /** A path's last element. */
    FileName fileName(Path path);

    /** What a symbolic link holds, which is not interpreted here, as a path to make one of. */
    Path target(byte[] bytes) throws ExportException;

    /** The bytes of what a symbolic link holds. */
    byte[] targetBytes(Path target);

    /** The bytes of a name; refuses what is a name nowhere. */
    static byte[] requireName(FileName name) throws ExportException {
        byte[] bytes = name.bytes();
        if (bytes.length == 0) {
            throw new ExportException(Failure.ACCES, "an empty file name");
        }
        for (byte b : bytes) {
            if (b == 0 || b == '/') {
                throw new ExportException(Failure.ACCES, "a file name with a " + (b == 0 ? "NUL" : "slash"));
            }
        }
        return bytes;
    }

    /** Refuses what no symbolic link can hold. */
    static void requireTarget(byte[] bytes) throws ExportException {
        if (bytes.length == 0) {
            throw new ExportException(Failure.INVAL, "an empty symbolic link");
        }
        for (byte b : bytes) {
            if (b == 0) {
                throw new ExportException(Failure.INVAL, "a symbolic link with a NUL");
            }
        }
    }
}
