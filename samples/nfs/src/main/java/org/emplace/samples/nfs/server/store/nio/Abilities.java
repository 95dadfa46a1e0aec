// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * The capabilities of a file system, as far as they are known without trying.
 *
 * @param local whether it is the default file system on Unix, where names are bytes, files have holes, and directories can be opened
 * @param posix whether it has permissions, and with them links
 * @param readOnly whether nothing can be changed
 * @param archive whether it is a zip file
 */
record Abilities(boolean local, boolean posix, boolean readOnly, boolean archive) {

    static Abilities of(Path root) throws IOException {
        FileSystem files = root.getFileSystem();
        Set<String> views = files.supportedFileAttributeViews();
        boolean local = files == FileSystems.getDefault() && File.separatorChar == '/' && views.contains("unix");
        // Zip files are written when their file system closes, and cannot rename directories.
        boolean archive = files.provider().getScheme().equals("jar");
        boolean readOnly =
                archive || files.isReadOnly() || Files.getFileStore(root).isReadOnly();
        return new Abilities(local, views.contains("posix") && !archive, readOnly, archive);
    }

    /** The options to open a file with. An archive has no links, and rejects options about them. */
    Set<OpenOption> opening(StandardOpenOption access) {
        return archive ? Set.of(access) : Set.of(access, LinkOption.NOFOLLOW_LINKS);
    }
}
