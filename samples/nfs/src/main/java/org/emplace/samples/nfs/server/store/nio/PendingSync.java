// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.emplace.samples.nfs.server.store.nio.NodeTree.Located;

/**
 * The files and directories that one operation has changed, which must be on stable storage before its reply. It opens them while names cannot
 * change, and waits for the disk when they can.
 */
final class PendingSync implements AutoCloseable {
    private final boolean wanted;
    private final List<FileChannel> changed = new ArrayList<>(2);

    PendingSync(boolean wanted) {
        this.wanted = wanted;
    }

    /** Adds a file. The caller holds the lock of the names, so that this is still a file or directory. */
    void add(Located file) throws IOException {
        if (wanted && (file.attributes().isDirectory() || file.attributes().isRegular())) {
            try {
                changed.add(FileChannel.open(file.path(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
            } catch (AccessDeniedException e) {
                // Java cannot commit a file that it may not open. The system writes it later.
                return;
            }
        }
    }

    /** Waits until everything is on stable storage. */
    void force() throws IOException {
        for (FileChannel each : changed) {
            each.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        for (FileChannel each : changed) {
            each.close();
        }
    }
}
