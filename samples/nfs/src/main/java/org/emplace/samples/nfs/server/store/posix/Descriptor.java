// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.Channel;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.jspecify.annotations.Nullable;

/** Owns a file descriptor, or uses that of another for a while. Only one thread may close it. */
final class Descriptor implements Channel {
    private final int number;
    private final @Nullable Closeable use;
    private volatile boolean closed;

    Descriptor(int number) {
        this(number, null);
    }

    private Descriptor(int number, @Nullable Closeable use) {
        this.number = number;
        this.use = use;
    }

    /**
     * This descriptor for somebody else, who does not close it.
     *
     * @param use closed instead
     */
    Descriptor lend(Closeable use) {
        return new Descriptor(number, use);
    }

    /**
     * Owns the descriptor that a system call returned.
     *
     * @param result the result of the call
     * @param call what was being opened, for the log
     */
    static Descriptor of(long result, String call) throws IOException {
        return new Descriptor((int) Errno.check(result, call));
    }

    int number() {
        return number;
    }

    /** The current status of the file. */
    FileStatus status() throws IOException {
        return FileStatus.of(number);
    }

    /** The file's attributes now. */
    FileAttributes attributes() throws IOException {
        return status().attributes();
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    /** Closes the descriptor. Linux closes it even if it reports that data of the file was lost. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        if (use != null) {
            use.close();
        } else {
            Errno.check(SystemCalls.close(number), "closing a file");
        }
    }

    /** Closes a descriptor after a failure. */
    static void closeAfter(Throwable failure, @Nullable Descriptor descriptor) {
        if (descriptor != null) {
            try {
                descriptor.close();
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }
}
