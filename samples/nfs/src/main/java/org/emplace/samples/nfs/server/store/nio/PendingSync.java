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
 * Files and directories that one operation changed and that have to be on stable storage before its reply. They are opened while names stand still, and
 * waited for when others may go on.
 */
final class PendingSync implements AutoCloseable {
    private final boolean wanted;
    private final List<FileChannel> changed = new ArrayList<>(2);

    PendingSync(boolean wanted) {
        this.wanted = wanted;
    }

    /** Notes a file. The caller holds the names, so that this is still a file or directory. */
    void add(Located file) throws IOException {
        if (wanted && (file.attributes().isDirectory() || file.attributes().isRegular())) {
            try {
                changed.add(FileChannel.open(file.path(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
            } catch (AccessDeniedException e) {
                // Java cannot commit what it may not open; the system will in its own time.
                return;
            }
        }
    }

    /** Waits until all is on stable storage. */
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
