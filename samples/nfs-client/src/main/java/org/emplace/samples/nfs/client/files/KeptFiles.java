// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.calls.RemoteFiles;
import org.emplace.samples.nfs.client.mount.NfsMount;
import org.emplace.samples.nfs.protocol.Diropargs3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.xdr.XdrString;

/**
 * Keeps files that this program removes or replaces while it has them open: until their last channel is closed they have a hidden name,
 * because a server forgets a file without a name. Linux's client does the same. Safe for use by several threads.
 */
final class KeptFiles {
    private static final Logger LOG = System.getLogger(KeptFiles.class.getName());

    private final NfsMount mount;
    /** The last names of each open file, so far as this program knows them. */
    private final Map<NfsFh3, Set<XdrString>> names = new HashMap<>();
    /** The hidden names of each open file. */
    private final Map<NfsFh3, Set<Diropargs3>> hidden = new HashMap<>();

    KeptFiles(NfsMount mount) {
        this.mount = mount;
    }

    /** A file has been opened under a name. */
    synchronized void opened(NfsFh3 file, XdrString name) {
        names.computeIfAbsent(file, key -> new HashSet<>()).add(name);
    }

    /** A file with one name has, or may have, another one now. */
    synchronized void named(XdrString name, XdrString other) {
        names.values().stream().filter(all -> all.contains(name)).forEach(all -> all.add(other));
    }

    /** Whether an open file may have this name. */
    synchronized boolean mayBeOpen(XdrString name) {
        return names.values().stream().anyMatch(all -> all.contains(name));
    }

    /** Whether a file is open. */
    synchronized boolean isOpen(NfsFh3 file) {
        return names.containsKey(file);
    }

    /** A file that has a hidden name in place of its own. */
    record Hidden(NfsFh3 file, Diropargs3 place, XdrString name) {}

    /** Renames an open file to a hidden name, in place of its removal. */
    Hidden hide(NfsFh3 file, NfsFh3 directory, XdrString name) throws IOException, InterruptedException {
        XdrString other = hiddenName();
        mount.files().rename(directory, name, directory, other);
        Diropargs3 place = new Diropargs3(directory, other);
        add(file, place);
        return new Hidden(file, place, name);
    }

    /**
     * Gives an open file a hidden name beside the one that another file is about to take.
     *
     * @return present if it has lost its own name already, because the server has no links
     */
    Optional<Hidden> keep(NfsFh3 file, NfsFh3 directory, XdrString name) throws IOException, InterruptedException {
        XdrString other = hiddenName();
        try {
            mount.files().link(file, directory, other);
        } catch (NfsException e) { // The server may have no links.
            LOG.log(Level.DEBUG, "no link to a file that is replaced", e);
            return Optional.of(hide(file, directory, name));
        }
        add(file, new Diropargs3(directory, other));
        return Optional.empty();
    }

    /** Does not remove a hidden file when it is closed: it is unknown whether another one has taken its place. */
    void leave(Hidden hidden) {
        synchronized (this) {
            this.hidden.getOrDefault(hidden.file(), new HashSet<>()).remove(hidden.place());
        }
    }

    /** Gives a hidden file its name again, which no other file has taken. */
    void restore(Hidden hidden) throws InterruptedException {
        leave(hidden);
        NfsFh3 directory = hidden.place().dir();
        try {
            if (mount.files().find(directory, hidden.name()).isEmpty()) {
                mount.files().rename(directory, hidden.place().name(), directory, hidden.name());
            }
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "a file is left under the name " + hidden.place().name(),
                    e);
        }
    }

    private static XdrString hiddenName() {
        return XdrString.of(
                ".nfs" + Long.toHexString(ThreadLocalRandom.current().nextLong()));
    }

    private void add(NfsFh3 file, Diropargs3 place) throws InterruptedException {
        synchronized (this) {
            if (names.containsKey(file)) {
                hidden.computeIfAbsent(file, key -> new HashSet<>()).add(place);
                return;
            }
        }
        remove(List.of(place));
    }

    /** A file's last channel has been closed, unless another thread has opened it again by now. */
    void closed(NfsFh3 file) throws InterruptedException {
        Set<Diropargs3> places;
        synchronized (this) {
            if (mount.contents().find(file).isPresent()) {
                return; // the last of those channels will clean up
            }
            names.remove(file);
            places = hidden.getOrDefault(file, Set.of());
            hidden.remove(file);
        }
        remove(places);
    }

    private void remove(Iterable<Diropargs3> places) throws InterruptedException {
        RemoteFiles files = mount.files();
        for (Diropargs3 place : places) {
            try {
                files.remove(place.dir(), place.name());
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "a hidden name is left: " + place.name(), e);
            }
        }
    }
}
