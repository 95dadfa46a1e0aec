// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.contents;

import java.io.IOException;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a channel. Data goes straight into direct buffers, and into others through a {@link ReadAhead} that lasts as long as the
 * reads are sequential. Not safe for use by several threads, except for {@link #contentsChanged}.
 */
public final class ChannelReads {
    private static final int READS_AHEAD = 4;
    private static final int FIRST_READ_AHEAD = 128 * 1024;

    private final FileReader reader;
    private final NfsFh3 file;
    private @Nullable ReadAhead ahead;
    private volatile boolean aheadIsOld;

    public ChannelReads(FileReader reader, NfsFh3 file) {
        this.reader = reader;
        this.file = file;
    }

    /** Makes the next read discard what was read ahead. */
    public void contentsChanged() {
        aheadIsOld = true;
    }

    /**
     * Reads into the buffers and advances their positions.
     *
     * @param expectedSize how far to read ahead
     * @return how many bytes; -1 if the file ends at or before the position
     */
    public long read(Pieces into, long position, long expectedSize) throws IOException, InterruptedException {
        if (into.remaining() == 0) {
            return 0;
        }
        if (into.areDirect()) {
            return inPlace(into, position);
        }
        if (aheadIsOld) {
            aheadIsOld = false;
            stop();
        }
        if (ahead == null || !ahead.isAt(position)) {
            stop();
            ahead = new ReadAhead(reader, file, position, expectedSize, READS_AHEAD, FIRST_READ_AHEAD);
        }
        boolean done = false;
        try {
            long read = readAhead(ahead, into, position);
            done = read >= 0;
            return read != 0 ? read : inPlace(into, position);
        } finally {
            if (!done) {
                stop();
            }
        }
    }

    /** Returns 0 if no buffer is free for the next bytes. */
    private static long readAhead(ReadAhead ahead, Pieces into, long position)
            throws IOException, InterruptedException {
        long read = 0;
        while (into.remaining() > 0) {
            int got = ahead.read(into.first(), position + read);
            if (got <= 0) {
                return read == 0 ? got : read;
            }
            read += got;
        }
        return read;
    }

    /** Reads without reading ahead. May be called by several threads. */
    public long inPlace(Pieces into, long position) throws IOException, InterruptedException {
        long read = reader.read(file, position, into);
        into.advance(Math.max(0, read));
        return read;
    }

    /** Discards what was read ahead, and returns its buffers. */
    public void stop() {
        if (ahead != null) {
            ahead.close();
            ahead = null;
        }
    }
}
