// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.contents;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a channel. Data goes straight into direct buffers, and into others through a {@link ReadAhead} that lasts as long as the
 * reads are sequential and the contents do not change. Not safe for use by several threads, except for {@link #inPlace}.
 */
public final class ChannelReads {
    private static final int READS_AHEAD = 4;
    private static final int FIRST_READ_AHEAD = 128 * 1024;

    private final CachedFile file;
    private @Nullable ReadAhead ahead;
    private long aheadVersion;

    public ChannelReads(CachedFile file) {
        this.file = file;
    }

    /**
     * Reads what has been written before the call, and perhaps later, into the buffers. Advances their positions.
     *
     * @return how many bytes; -1 if the file ends at or before the position
     */
    public long read(Pieces into, long position) throws IOException, InterruptedException {
        if (into.remaining() == 0) {
            return 0;
        }
        int[] positions = into.positions();
        long read;
        long restarts;
        do {
            into.reset(positions);
            restarts = file.restarts();
            long version = file.version(); // before the flush: a write after it makes this one old
            file.flush();
            boolean mayReadAhead = !into.areDirect() && version != CachedFile.UNSETTLED;
            read = mayReadAhead ? readAhead(into, position, version) : 0;
        } while (file.restarts() != restarts);
        return read != 0 ? read : inPlace(into, position);
    }

    /** Returns 0 if no buffer is free for the next bytes. */
    private long readAhead(Pieces into, long position, long version) throws IOException, InterruptedException {
        if (ahead == null || aheadVersion != version || !ahead.isAt(position)) {
            stop();
            ahead = new ReadAhead(
                    file.reader(), file.handle(), position, file.sizeSeen(), READS_AHEAD, FIRST_READ_AHEAD);
            aheadVersion = version;
        }
        boolean done = false;
        try {
            long read = copy(ahead, into, position);
            done = read >= 0;
            return read;
        } finally {
            if (!done) {
                stop();
            }
        }
    }

    private static long copy(ReadAhead ahead, Pieces into, long position) throws IOException, InterruptedException {
        int[] positions = into.positions();
        long read = 0;
        boolean done = false;
        try {
            while (into.remaining() > 0) {
                int got = ahead.read(into.first(), position + read);
                if (got <= 0) {
                    done = true;
                    return read == 0 ? got : read;
                }
                read += got;
            }
            done = true;
            return read;
        } finally {
            if (!done) {
                into.reset(positions);
            }
        }
    }

    /** Reads without reading ahead. May be called by several threads. */
    public long inPlace(Pieces into, long position) throws IOException, InterruptedException {
        long read = file.asking(() -> file.reader().read(file.handle(), position, into));
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
