// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.emplace.samples.nfs.server.store.FileId;

/** Keeps directories open where listings stopped: at most so many, and none for long. Safe for use by several threads. */
final class EntryStreams implements Closeable {
    private final Map<Place, Kept> kept = new LinkedHashMap<>();
    private final int limit;
    private final Duration idle;
    private final LongSupplier nanoTime;

    EntryStreams(int limit, Duration idle, LongSupplier nanoTime) {
        this.limit = limit;
        this.idle = idle;
        this.nanoTime = nanoTime;
    }

    private record Place(FileId directory, long cookie) {}

    private record Kept(EntryStream stream, long since) {}

    /** A stream that goes on after a cookie. The caller closes it, or gives it back by {@link #keep}. */
    EntryStream take(FileNode directory, long cookie) throws IOException {
        synchronized (this) {
            closeOld(limit);
            Kept stream = kept.remove(new Place(directory.id(), cookie));
            if (stream != null) {
                return stream.stream();
            }
        }
        return EntryStream.open(directory.descriptor(), Cookies.offset(cookie));
    }

    /** Keeps a stream that goes on after a cookie. */
    synchronized void keep(FileId directory, long cookie, EntryStream stream) throws IOException {
        Kept other = kept.put(new Place(directory, cookie), new Kept(stream, nanoTime.getAsLong()));
        if (other != null) {
            other.stream().close();
        }
        closeOld(limit);
    }

    private void closeOld(int down) throws IOException {
        Iterator<Kept> oldest = kept.values().iterator();
        while (oldest.hasNext()) {
            Kept stream = oldest.next();
            if (kept.size() <= down && nanoTime.getAsLong() - stream.since() < idle.toNanos()) {
                return;
            }
            oldest.remove();
            stream.stream().close();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closeOld(0);
    }
}
