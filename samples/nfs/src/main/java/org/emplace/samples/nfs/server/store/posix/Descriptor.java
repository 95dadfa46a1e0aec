// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.Closeable;
import java.io.IOException;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.jspecify.annotations.Nullable;

/** Owns a file descriptor. Used by one thread at a time, as far as closing goes. */
final class Descriptor implements Closeable {
    private final int number;
    private boolean closed;

    Descriptor(int number) {
        this.number = number;
    }

    /**
     * Owns what a system call opened.
     *
     * @param result what it returned
     * @param call what was being opened, for the log
     */
    static Descriptor of(long result, String call) throws IOException {
        return new Descriptor((int) Errno.check(result, call));
    }

    int number() {
        return number;
    }

    /** What is known of the file now. */
    FileStatus status() throws IOException {
        return FileStatus.of(number);
    }

    /** The file's attributes now. */
    FileAttributes attributes() throws IOException {
        return status().attributes();
    }

    /** Linux closes a descriptor even where it reports that something of the file was lost. */
    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            Errno.check(SystemCalls.close(number), "closing a file");
        }
    }

    /** Closes what could not be made use of. */
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
