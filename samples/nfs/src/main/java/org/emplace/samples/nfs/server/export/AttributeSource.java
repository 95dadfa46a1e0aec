// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import org.emplace.samples.nfs.server.handle.FileKey;

/** Where attributes come from. Never follows a symbolic link in a path's last component. Safe for use by several threads. */
interface AttributeSource {

    /** The best source that the file system of the root has. */
    static AttributeSource of(Path root) throws IOException {
        FileSystem fileSystem = root.getFileSystem();
        return fileSystem.supportedFileAttributeViews().contains("unix")
                ? new UnixAttributes(root)
                : new PortableAttributes();
    }

    /** Whether a file has the same key after a restart. */
    boolean isLasting();

    /** All of a file's attributes. */
    FileAttributes read(Path path) throws IOException;

    /** What the file system calls the file; cheaper than all. */
    FileKey key(Path path) throws IOException;

    /** Sets permission, set-id and sticky bits. Not for symbolic links. */
    void setMode(Path path, FileAttributes now, int mode) throws IOException;

    /** Sets owner and group; a negative number leaves the one that is. */
    void setOwner(Path path, long uid, long gid) throws IOException;
}
