// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.channels.Channel;
import org.emplace.samples.nfs.server.store.WriteVerifier;

/**
 * A file that is open for writing. It knows whether it holds data that is not on stable storage yet, and puts it there before it closes: only who had the file open when
 * writing back failed is told so. Safe for use by several threads, but for closing.
 */
final class Writer implements Channel {
    private final Descriptor file;
    private final WriteVerifier verifier;
    private volatile boolean unstable;
    private volatile boolean closed;

    /** @param verifier changes if data was lost */
    Writer(Descriptor file, WriteVerifier verifier) {
        this.file = file;
        this.verifier = verifier;
    }

    int number() {
        return file.number();
    }

    /** Something is about to be written. */
    void writing() {
        unstable = true;
    }

    /**
     * Puts what was written on stable storage.
     *
     * @param metadata whether with the times too
     */
    void synchronize(boolean metadata) throws IOException {
        unstable = false;
        long result = metadata ? SystemCalls.synchronize(file.number()) : SystemCalls.synchronizeData(file.number());
        if (result < 0) {
            verifier.dataLost();
        }
        Errno.check(result, "fsync");
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    /** What has no name any more is lost with this. */
    @Override
    public void close() throws IOException {
        closed = true;
        try (file) {
            if (unstable && file.attributes().links() > 0) {
                synchronize(false);
            }
        } catch (IOException e) {
            verifier.dataLost();
            throw e;
        }
    }
}
