// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystems;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** When changes of names and attributes are on stable storage. */
public enum Durability {
    /** Before the reply, as RFC 1813 section 4.8 wants. */
    SYNCHRONOUS {
        @Override
        void commit(Path file) throws IOException {
            if (file.getFileSystem() == FileSystems.getDefault()) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
                    channel.force(true);
                } catch (AccessDeniedException | NoSuchFileException e) {
                    // Java cannot commit what it may not open; and what is gone meanwhile was committed with its going.
                    return;
                }
            }
        }
    },
    /** When the operating system gets to it: a crash of the machine, not one of the server, may lose the last seconds. */
    DEFERRED {
        @Override
        void commit(Path file) {}
    };

    /** Puts a directory's or regular file's metadata on stable storage, if that is wanted. */
    abstract void commit(Path file) throws IOException;
}
