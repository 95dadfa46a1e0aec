// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.Closeable;
import java.io.IOException;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/**
 * A file that an operation works on. The descriptor refers to this file whatever happens to its names. A file never changes its type.
 *
 * @param descriptor owned by this object; usually one that only locates the file (O_PATH), so that opening it has no effect
 * @param attributes as they were when the file was found
 */
record FileNode(FileId id, Descriptor descriptor, FileAttributes attributes) implements Closeable {

    int number() {
        return descriptor.number();
    }

    /** The attributes now. */
    FileAttributes now() throws IOException {
        return descriptor.attributes();
    }

    /** The file with its attributes now. */
    FoundFile foundNow() throws IOException {
        return new FoundFile(id, now());
    }

    FileNode requireDirectory() throws IOException {
        return attributes.isDirectory() ? this : refused(Failure.NOTDIR, "not a directory: ");
    }

    FileNode requireRegular() throws IOException {
        if (attributes.isRegular()) {
            return this;
        }
        return refused(attributes.isDirectory() ? Failure.ISDIR : Failure.INVAL, "not a regular file: ");
    }

    private FileNode refused(Failure failure, String reason) throws IOException {
        close();
        throw new StoreException(failure, reason + id);
    }

    @Override
    public void close() throws IOException {
        descriptor.close();
    }
}
