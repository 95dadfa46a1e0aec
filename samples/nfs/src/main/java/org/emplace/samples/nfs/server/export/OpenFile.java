// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;

/** An open file, kept open between operations. The fields are {@link OpenFiles}' to change, under its lock. */
final class OpenFile {
    private static final Logger LOG = System.getLogger(OpenFile.class.getName());

    private final FileChannel channel;
    private int users;
    private boolean dropped;
    private long lastUsed;

    OpenFile(FileChannel channel) {
        this.channel = channel;
    }

    FileChannel channel() {
        return channel;
    }

    boolean inUse() {
        return users > 0;
    }

    long lastUsed() {
        return lastUsed;
    }

    void enter() {
        users++;
    }

    void leave(long now) {
        users--;
        lastUsed = now;
        closeIfUnused();
    }

    /** No longer kept: closes when the last user has left. */
    void drop() {
        dropped = true;
        closeIfUnused();
    }

    private void closeIfUnused() {
        if (dropped && users == 0) {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.log(Level.WARNING, "closing a file failed; what was written may be lost", e);
            }
        }
    }
}
