// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.calls.RemoteFiles;
import org.emplace.samples.nfs.client.calls.RemoteNode;
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

    private final Map<Diropargs3, Leaving> leaving = new HashMap<>();
    private final List<Opening> openings = new ArrayList<>();

    KeptFiles(NfsMount mount) {
        this.mount = mount;
    }

    /** A file that has this name is being removed or replaced. */
    private static final class Leaving {
        final Diropargs3 place;
        boolean over;

        Leaving(Diropargs3 place) {
            this.place = place;
        }
    }

    /** A file is being opened. If it loses its name meanwhile, it was perhaps not known to be open, and has not been kept. */
    final class Opening implements AutoCloseable {
        private final List<Leaving> met = new ArrayList<>(leaving.values());

        /**
         * The file has been opened under a name. Waits while a file with that name is being removed or replaced.
         *
         * @return whether one was, so that this file may not exist any more
         */
        boolean opened(NfsFh3 file, XdrString name) throws InterruptedException {
            synchronized (KeptFiles.this) {
                names.computeIfAbsent(file, key -> new HashSet<>()).add(name);
                List<Leaving> same = met.stream()
                        .filter(each -> each.place.name().equals(name))
                        .toList();
                for (Leaving each : same) {
                    while (!each.over) {
                        KeptFiles.this.wait();
                    }
                }
                return !same.isEmpty();
            }
        }

        @Override
        public void close() {
            synchronized (KeptFiles.this) {
                openings.remove(this);
            }
        }
    }

    /** Call it before the file is looked up. */
    synchronized Opening opening() {
        Opening opening = new Opening();
        openings.add(opening);
        return opening;
    }

    /** Waits for the end of another one of this name: what it finds out must still hold when it is done. */
    private synchronized Leaving leaves(NfsFh3 directory, XdrString name) throws InterruptedException {
        Leaving begun = new Leaving(new Diropargs3(directory, name));
        while (leaving.putIfAbsent(begun.place, begun) != null) {
            wait();
        }
        openings.forEach(each -> each.met.add(begun));
        return begun;
    }

    private synchronized void over(Leaving ended) {
        ended.over = true;
        leaving.remove(ended.place);
        notifyAll();
    }

    /** A file with one name has, or may have, another one now. */
    synchronized void named(XdrString name, XdrString other) {
        names.values().stream().filter(all -> all.contains(name)).forEach(all -> all.add(other));
    }

    private synchronized boolean mayBeOpen(XdrString name) {
        return names.values().stream().anyMatch(all -> all.contains(name));
    }

    private synchronized boolean isOpen(NfsFh3 file) {
        return names.containsKey(file);
    }

    /** Removes a file that is not a directory. An open one gets a hidden name in place of its own. */
    void remove(NfsFh3 directory, XdrString name) throws IOException, InterruptedException {
        Leaving left = leaves(directory, name);
        try {
            Optional<RemoteNode> file = mayBeOpen(name) ? mount.files().find(directory, name) : Optional.empty();
            if (file.isPresent() && isOpen(file.get().handle())) {
                Hidden hidden = hide(file.get().handle(), directory, name);
                add(hidden.file(), hidden.place());
            } else {
                mount.files().remove(directory, name);
            }
        } finally {
            over(left);
        }
    }

    /** Renames. An open file that is replaced gets a hidden name before; if it loses its own for that, it gets it again if the call fails. */
    void rename(NfsFh3 from, XdrString name, NfsFh3 to, XdrString newName) throws IOException, InterruptedException {
        Leaving left = leaves(to, newName);
        Optional<Hidden> hidden = Optional.empty();
        try {
            hidden = keepReplaced(from, name, to, newName);
            named(name, newName);
            mount.files().rename(from, name, to, newName);
            if (hidden.isPresent()) {
                // Not before: the hidden name is the file's only one, and may stay so.
                add(hidden.get().file(), hidden.get().place());
            }
        } catch (NfsException e) {
            if (hidden.isPresent()) {
                restore(hidden.get());
            }
            throw e;
        } finally {
            over(left);
        }
    }

    /** If the source does not exist, or is the same file, nothing is replaced. */
    private Optional<Hidden> keepReplaced(NfsFh3 from, XdrString name, NfsFh3 to, XdrString newName)
            throws IOException, InterruptedException {
        if (!mayBeOpen(newName)) {
            return Optional.empty();
        }
        Optional<RemoteNode> replaced = mount.files().find(to, newName);
        if (replaced.isPresent() && isOpen(replaced.get().handle())) {
            Optional<RemoteNode> replacing = mount.files().find(from, name);
            if (replacing.isPresent()
                    && !replacing.get().isDirectory()
                    && !replacing.get().handle().equals(replaced.get().handle())) {
                return keep(replaced.get().handle(), to, newName);
            }
        }
        return Optional.empty();
    }

    /** A file that has a hidden name in place of its own. */
    private record Hidden(NfsFh3 file, Diropargs3 place, XdrString name) {}

    private Hidden hide(NfsFh3 file, NfsFh3 directory, XdrString name) throws IOException, InterruptedException {
        XdrString other = hiddenName();
        mount.files().rename(directory, name, directory, other);
        return new Hidden(file, new Diropargs3(directory, other), name);
    }

    /**
     * Gives an open file a hidden name beside the one that another file is about to take.
     *
     * @return present if it has lost its own name already, because the server has no links
     */
    private Optional<Hidden> keep(NfsFh3 file, NfsFh3 directory, XdrString name)
            throws IOException, InterruptedException {
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

    /** Gives a hidden file its name again, which no other file has taken. */
    private void restore(Hidden hidden) throws InterruptedException {
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
