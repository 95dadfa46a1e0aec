// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.channels.Channel;
import java.util.function.LongSupplier;
import org.emplace.samples.nfs.server.store.Store.WriteVerifier;

/**
 * A file that is open for writing. Knows whether it has data that is not on stable storage yet, and brings it there before it closes,
 * because the kernel reports a failed write-back only to those who have the file open. Safe for use by several threads, except for closing.
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

    /** Makes a call that writes, and then records that data may have been written: not before, as another thread's fsync could come in between. */
    long write(LongSupplier call) {
        try {
            return call.getAsLong();
        } finally {
            unstable = true;
        }
    }

    /**
     * Brings the written data to stable storage.
     *
     * @param metadata whether to include the times
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

    /** Closes the file. If the file has no name, its data is lost. */
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
