// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.nio.file.Path;
import org.emplace.samples.nfs.server.handle.FileId;
import org.emplace.samples.nfs.server.handle.FileKey;

/** A file as an operation found it. */
public record Node(FileId id, Path path, FileAttributes attributes) {

    FileKey key() {
        return id.key();
    }

    Node requireDirectory() throws ExportException {
        if (!attributes.isDirectory()) {
            throw new ExportException(Failure.NOTDIR, path + " is not a directory");
        }
        return this;
    }

    /** @throws ExportException of ISDIR for a directory, of INVAL for what is neither (RFC 1813, READ and WRITE) */
    Node requireRegular() throws ExportException {
        if (attributes.isDirectory()) {
            throw new ExportException(Failure.ISDIR, path + " is a directory");
        } else if (!attributes.isRegular()) {
            throw new ExportException(Failure.INVAL, path + " is not a regular file");
        }
        return this;
    }
}
