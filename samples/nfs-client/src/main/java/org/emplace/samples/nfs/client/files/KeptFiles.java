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
import java.util.concurrent.TimeUnit;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.calls.PathWalk;
import org.emplace.samples.nfs.client.calls.RemoteFiles;
import org.emplace.samples.nfs.client.calls.RemoteNode;
import org.emplace.samples.nfs.client.mount.NfsMount;
import org.emplace.samples.nfs.protocol.Diropargs3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/**
 * Keeps files that this program removes or replaces while it has them open: until their last channel is closed they have a hidden name,
 * because a server forgets a file without a name. Linux's client does the same. Safe for use by several threads.
 */
final class KeptFiles {
    private static final Logger LOG = System.getLogger(KeptFiles.class.getName());
    /** How long after an interrupt a RENAME that had been sent is waited for. */
    private static final long LATE_RENAME_MILLIS = 100;

    private final NfsMount mount;
    private final Map<NfsFh3, OpenFile> open = new HashMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<Opening> openings = new ArrayList<>();

    KeptFiles(NfsMount mount) {
        this.mount = mount;
    }

    /** The last names of an open file, so far as this program knows them, and its hidden ones. */
    private static final class OpenFile {
        final Set<XdrString> names = new HashSet<>();
        final Set<Diropargs3> hidden = new HashSet<>();
        /** Nobody has it open any more, and the hidden names are being removed. */
        boolean closed;
    }

    /** A change of a name, or the renaming of the first of two to the second. */
    private static final class Change {
        final List<Diropargs3> places;
        boolean over;

        Change(List<Diropargs3> places) {
            this.places = places;
        }

        boolean concerns(Set<XdrString> names) {
            return places.stream().anyMatch(place -> names.contains(place.name()));
        }

        /** Adds the name that a file with these may have now. */
        void follow(Set<XdrString> names) {
            if (names.contains(places.get(0).name())) {
                places.forEach(place -> names.add(place.name()));
            }
        }
    }

    /**
     * A file is being looked up, and perhaps opened. If its name changes meanwhile, the file was not known to be open, and has not been
     * kept, or nothing had the name for a moment.
     */
    final class Opening implements AutoCloseable {
        private final List<Change> met = new ArrayList<>(changes);

        /** Resolves a path. If nothing is there and this program has been changing the name, waits for that, and looks again. */
        PathWalk.Place locate(List<XdrString> path, boolean followLast) throws IOException, InterruptedException {
            PathWalk.Place place;
            do {
                place = mount.locate(path, followLast);
            } while (place.node().isEmpty() && hasMet(Set.copyOf(place.path())));
            return place;
        }

        /**
         * The file has been opened under a name. Waits while this program changes that.
         *
         * @return whether it has, so that this file may not exist any more
         */
        boolean opened(NfsFh3 file, XdrString name) throws InterruptedException {
            synchronized (KeptFiles.this) {
                boolean mayBeGone = false;
                while (open.computeIfAbsent(file, key -> new OpenFile()).closed) {
                    mayBeGone = true;
                    KeptFiles.this.wait();
                }
                Set<XdrString> names = open.computeIfAbsent(file, key -> new OpenFile()).names;
                names.add(name);
                met.forEach(change -> change.follow(names));
                boolean changed = hasMet(names);
                return changed || mayBeGone;
            }
        }

        /** Creates a file under a name; see {@link KeptFiles#changing}. The opening does not meet that change. */
        <R> R creating(NfsFileSystem.Work<R> work, Diropargs3 place) throws IOException, InterruptedException {
            return change(work, this, List.of(place));
        }

        /** Waits for the changes of these names that it has met, and forgets them. Returns whether there were any. */
        private boolean hasMet(Set<XdrString> names) throws InterruptedException {
            synchronized (KeptFiles.this) {
                List<Change> same =
                        met.stream().filter(change -> change.concerns(names)).toList();
                met.removeAll(same);
                for (Change each : same) {
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

    /** Resolves a path; see {@link Opening#locate}. */
    PathWalk.Place locate(List<XdrString> path, boolean followLast) throws IOException, InterruptedException {
        try (Opening looking = opening()) {
            return looking.locate(path, followLast);
        }
    }

    /** Makes a change of these names while nobody else in this program changes them: what it finds out must still hold when it is done. */
    <R> R changing(NfsFileSystem.Work<R> work, Diropargs3... places) throws IOException, InterruptedException {
        return change(work, null, List.of(places));
    }

    private <R> R change(NfsFileSystem.Work<R> work, @Nullable Opening by, List<Diropargs3> places)
            throws IOException, InterruptedException {
        Change change = begin(by, places);
        try {
            return work.run(mount);
        } finally {
            end(change);
        }
    }

    private synchronized Change begin(@Nullable Opening by, List<Diropargs3> places) throws InterruptedException {
        Change begun = new Change(places);
        while (changes.stream().anyMatch(other -> other.places.stream().anyMatch(places::contains))) {
            wait();
        }
        changes.add(begun);
        open.values().forEach(file -> begun.follow(file.names));
        openings.stream().filter(each -> !each.equals(by)).forEach(each -> each.met.add(begun));
        return begun;
    }

    private synchronized void end(Change change) {
        change.over = true;
        changes.remove(change);
        notifyAll();
    }

    /** Removes a file that is not a directory. An open one gets a hidden name in place of its own. */
    void remove(Diropargs3 place) throws IOException, InterruptedException {
        changing(
                calls -> {
                    Optional<NfsFh3> file = openAt(place);
                    if (file.isPresent()) {
                        Diropargs3 hidden = hiddenName(place.dir());
                        add(file.get(), hidden); // also before: after an interrupt the name may exist
                        rename(place, hidden, calls.files());
                        add(file.get(), hidden);
                    } else {
                        calls.files().remove(place.dir(), place.name());
                    }
                    return place;
                },
                place);
    }

    private static void rename(Diropargs3 from, Diropargs3 to, RemoteFiles files)
            throws IOException, InterruptedException {
        files.rename(from.dir(), from.name(), to.dir(), to.name());
    }

    /** The file with this name, if it is open. Not a directory, which no file replaces, and which has nothing to keep. */
    private Optional<NfsFh3> openAt(Diropargs3 place) throws IOException, InterruptedException {
        synchronized (this) {
            if (open.values().stream().noneMatch(file -> file.names.contains(place.name()))) {
                return Optional.empty(); // without a call
            }
        }
        return mount.files()
                .find(place.dir(), place.name())
                .filter(node -> !node.isDirectory())
                .map(RemoteNode::handle)
                .filter(this::isOpen);
    }

    private synchronized boolean isOpen(NfsFh3 file) {
        @Nullable OpenFile known = open.get(file);
        return known != null && !known.closed;
    }

    /** Renames. An open file that is replaced gets a hidden name before; if it loses its own for that, it gets it again if the call fails. */
    void rename(Diropargs3 from, Diropargs3 to) throws IOException, InterruptedException {
        changing(
                calls -> {
                    Optional<NfsFh3> replaced = openAt(to);
                    Optional<NfsFh3> source = replaced.isPresent() ? sourceAt(from) : Optional.empty();
                    if (source.isPresent() && !source.equals(replaced)) {
                        replace(from, source.get(), to, replaced.get());
                    } else {
                        rename(from, to, calls.files());
                    }
                    return to;
                },
                from,
                to);
    }

    /** What may replace a file. */
    private Optional<NfsFh3> sourceAt(Diropargs3 place) throws IOException, InterruptedException {
        return mount.files()
                .find(place.dir(), place.name())
                .filter(file -> !file.isDirectory())
                .map(RemoteNode::handle);
    }

    private void replace(Diropargs3 from, NfsFh3 source, Diropargs3 to, NfsFh3 replaced)
            throws IOException, InterruptedException {
        if (isLinked(replaced, hiddenName(to.dir()))) {
            rename(from, to, mount.files());
            return;
        }
        Diropargs3 hidden = hiddenName(to.dir());
        boolean isReplaced = false;
        try {
            rename(to, hidden, mount.files());
            rename(from, to, mount.files());
            isReplaced = true;
        } finally {
            isReplaced = isReplaced || !restored(hidden, to, replaced, source);
            if (isReplaced) {
                add(replaced, hidden); // Not before: the hidden name is the file's only one, and may stay so.
            }
        }
    }

    /** Gives a file a hidden name beside its own, if the server has links. */
    private boolean isLinked(NfsFh3 file, Diropargs3 hidden) throws IOException, InterruptedException {
        add(file, hidden); // also before: after an interrupt the name may exist
        try {
            mount.files().link(file, hidden.dir(), hidden.name());
        } catch (NfsException e) {
            if (e.status() != Nfsstat3.NFS3ERR_EXIST) { // which a LINK that was sent again finds
                LOG.log(Level.DEBUG, "no link to a file that is replaced", e);
                return false;
            }
        }
        add(file, hidden);
        return true;
    }

    /**
     * Gives a hidden file its name again, unless another file has it, whatever interrupts the thread meanwhile. A failed RENAME may have been
     * made, or be made yet.
     *
     * @return false if the source has replaced it after all
     */
    private boolean restored(Diropargs3 hidden, Diropargs3 place, NfsFh3 file, NfsFh3 source) {
        boolean interrupted = false;
        try {
            for (int looks = 0; ; ) {
                try {
                    Optional<NfsFh3> now =
                            mount.files().find(place.dir(), place.name()).map(RemoteNode::handle);
                    if (now.isEmpty()) {
                        rename(hidden, place, mount.files());
                        return true;
                    }
                    if (now.get().equals(source)) {
                        return false;
                    }
                    if (!now.get().equals(file)) {
                        throw new IOException("another file has the name by now");
                    }
                    if (looks++ > 0) {
                        return true;
                    }
                    TimeUnit.MILLISECONDS.sleep(LATE_RENAME_MILLIS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "'" + RemoteName.printable(place.name()) + "' is left under the name " + hidden.name(),
                    e);
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Diropargs3 hiddenName(NfsFh3 directory) {
        return new Diropargs3(
                directory,
                XdrString.of(
                        ".nfs" + Long.toHexString(ThreadLocalRandom.current().nextLong())));
    }

    private void add(NfsFh3 file, Diropargs3 place) throws InterruptedException {
        synchronized (this) {
            @Nullable OpenFile known = open.get(file);
            if (known != null && !known.closed) {
                known.hidden.add(place);
                return;
            }
        }
        remove(Set.of(place));
    }

    /** A file's last channel has been closed, unless another thread has opened it again by now. */
    void closed(NfsFh3 file) throws InterruptedException {
        Set<Diropargs3> hidden;
        synchronized (this) {
            @Nullable OpenFile known = open.get(file);
            if (known == null || known.closed || mount.contents().find(file).isPresent()) {
                return; // the last of those channels will clean up
            }
            known.closed = true;
            hidden = known.hidden;
        }
        try {
            remove(hidden);
        } finally {
            synchronized (this) {
                open.remove(file);
                notifyAll();
            }
        }
    }

    /** An interrupt ends one removal, and the others are still made. */
    private void remove(Set<Diropargs3> places) throws InterruptedException {
        @Nullable InterruptedException interrupted = null;
        for (Diropargs3 place : places) {
            try {
                mount.files().remove(place.dir(), place.name());
            } catch (InterruptedException e) {
                interrupted = e;
                LOG.log(Level.DEBUG, "a hidden name may be left: " + place.name(), e);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "a hidden name is left: " + place.name(), e);
            }
        }
        if (interrupted != null) {
            throw interrupted;
        }
    }
}
