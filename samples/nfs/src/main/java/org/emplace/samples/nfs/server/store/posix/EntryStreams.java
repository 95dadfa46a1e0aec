// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.emplace.samples.nfs.server.store.CacheShares;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.posix.Directories.Cookies;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the directories of interrupted listings open: a limited number, for a limited time, and each only until its directory changes, because the
 * entries read so far would not show the change. If there are too many, closes the oldest one of the peer that has most ({@link CacheShares}). Safe for use
 * by several threads.
 */
final class EntryStreams implements Closeable {
    private static final Logger LOG = System.getLogger(EntryStreams.class.getName());

    private final Map<Place, Reading> kept = new LinkedHashMap<>();
    private final CacheShares<Place> shares = new CacheShares<>();
    private final int limit;
    private final Duration longest;
    private final LongSupplier nanoTime;

    EntryStreams(int limit, Duration longest, LongSupplier nanoTime) {
        this.limit = limit;
        this.longest = longest;
        this.nanoTime = nanoTime;
    }

    private record Place(FileId directory, long cookie) {}

    /**
     * A directory that is being read.
     *
     * @param changed the change time of the directory before its first entry was read
     * @param since when it was opened
     */
    record Reading(EntryStream entries, FileTime changed, long since) {}

    /**
     * The listing that continues after a cookie. The caller closes its entries, or returns it by {@link #keep}. A new listing always reads the
     * directory again.
     */
    Reading take(FileNode directory, long cookie) throws IOException {
        FileTime changed = directory.attributes().changed();
        if (cookie > Cookies.PARENT) {
            Reading reading = taken(new Place(directory.id(), cookie));
            if (reading != null && reading.changed().equals(changed)) {
                return reading;
            }
            close(reading);
        }
        EntryStream entries = EntryStream.open(directory.descriptor(), Cookies.offset(cookie));
        return new Reading(entries, changed, nanoTime.getAsLong());
    }

    private synchronized @Nullable Reading taken(Place place) {
        closeOld(limit);
        shares.remove(place);
        return kept.remove(place);
    }

    /**
     * Keeps the directory of a listing that continues after a cookie.
     *
     * @param peer who lists it
     */
    synchronized void keep(Object peer, FileId directory, long cookie, Reading reading) {
        if (cookie <= Cookies.PARENT) {
            close(reading);
            return;
        }
        Place place = new Place(directory, cookie);
        close(kept.put(place, reading));
        // A listing that was kept before at the same place is closed, whoever it counted for.
        shares.remove(place);
        shares.use(peer, place, 1);
        closeOld(limit);
    }

    private void closeOld(int down) {
        Iterator<Map.Entry<Place, Reading>> oldest = kept.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<Place, Reading> each = oldest.next();
            if (nanoTime.getAsLong() - each.getValue().since() >= longest.toNanos()) {
                oldest.remove();
                shares.remove(each.getKey());
                close(each.getValue());
            }
        }
        while (kept.size() > down) {
            Place next = shares.next(place -> true).orElseThrow();
            shares.remove(next);
            close(kept.remove(next));
        }
    }

    /** Closes a directory. Does not throw: nothing is lost, and the call may be about another directory. */
    private static void close(@Nullable Reading reading) {
        if (reading != null) {
            try {
                reading.entries().close();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "closing a directory failed: " + e.getMessage());
            }
        }
    }

    @Override
    public synchronized void close() {
        closeOld(0);
    }
}
