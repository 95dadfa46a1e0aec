// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.calls.PathWalk;
import org.emplace.samples.nfs.client.calls.RemoteFiles;
import org.emplace.samples.nfs.client.calls.RemoteFiles.RemoteNode;
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

    private final NfsMount mount;
    private final OpenNames names;

    KeptFiles(NfsMount mount) {
        this.mount = mount;
        this.names = new OpenNames(file -> mount.contents().find(file).isPresent());
    }

    /** Call it before the file is looked up. */
    OpenNames.Opening opening() {
        return names.opening();
    }

    /** Resolves a path. If nothing is there and this program has been changing the name, waits for that, and looks again. */
    PathWalk.Place locate(OpenNames.Opening by, List<XdrString> path, boolean followLast)
            throws IOException, InterruptedException {
        PathWalk.Place place;
        do {
            place = mount.locate(path, followLast);
        } while (place.node().isEmpty() && by.hasMet(Set.copyOf(place.path())));
        return place;
    }

    /** The same for who does not open the file. */
    PathWalk.Place locate(List<XdrString> path, boolean followLast) throws IOException, InterruptedException {
        try (OpenNames.Opening looking = opening()) {
            return locate(looking, path, followLast);
        }
    }

    /** Makes a change of these names while nobody else in this program changes them: what it finds out must still hold when it is done. */
    <R> R changing(NfsFileSystem.Work<R> work, Diropargs3... places) throws IOException, InterruptedException {
        return changing(null, work, places);
    }

    /** The same for an opening, which does not meet what it creates itself. */
    <R> R changing(OpenNames.@Nullable Opening by, NfsFileSystem.Work<R> work, Diropargs3... places)
            throws IOException, InterruptedException {
        OpenNames.Change change = names.begin(by, List.of(places));
        try {
            return work.run(mount);
        } finally {
            names.end(change);
        }
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
        return names.mayBeOpen(place.name()) // or no call is needed
                ? find(place).filter(names::isOpen)
                : Optional.empty();
    }

    private Optional<NfsFh3> find(Diropargs3 place) throws IOException, InterruptedException {
        return mount.files()
                .find(place.dir(), place.name())
                .filter(node -> !node.isDirectory())
                .map(RemoteNode::handle);
    }

    /** Renames. An open file that is replaced gets a hidden name before; if it loses its own for that, it gets it again if the call fails. */
    void rename(Diropargs3 from, Diropargs3 to) throws IOException, InterruptedException {
        changing(
                calls -> {
                    Optional<NfsFh3> replaced = openAt(to);
                    Optional<NfsFh3> source = replaced.isPresent() ? find(from) : Optional.empty();
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

    private void replace(Diropargs3 from, NfsFh3 source, Diropargs3 to, NfsFh3 replaced)
            throws IOException, InterruptedException {
        if (isLinked(replaced, hiddenName(to.dir()))) {
            rename(from, to, mount.files());
            return;
        }
        Diropargs3 hidden = hiddenName(to.dir());
        try {
            rename(to, hidden, mount.files());
            rename(from, to, mount.files());
        } catch (IOException | InterruptedException | RuntimeException e) {
            restore(hidden, to, replaced, source);
            throw e;
        }
        add(replaced, hidden); // Not before: the hidden name is the file's only one, and may stay so.
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
     * Gives a hidden file its name again, unless another file has it, whatever interrupts the thread meanwhile. A failed RENAME may have
     * been made: if the source has replaced the file after all, it stays hidden.
     */
    private void restore(Diropargs3 hidden, Diropargs3 place, NfsFh3 file, NfsFh3 source) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    Optional<NfsFh3> now =
                            mount.files().find(place.dir(), place.name()).map(RemoteNode::handle);
                    if (now.isEmpty()) {
                        rename(hidden, place, mount.files());
                    } else if (now.get().equals(source)) {
                        add(file, hidden);
                    } else if (!now.get().equals(file)) {
                        throw new IOException("another file has the name by now");
                    }
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (IOException | RuntimeException e) { // the failure of the replacement is the one to throw
            boolean isGone = e instanceof NfsException failure && failure.status() == Nfsstat3.NFS3ERR_NOENT;
            if (!isGone) { // by another client
                LOG.log(
                        Level.WARNING,
                        "'" + RemoteName.printable(place.name()) + "' is left under the name " + hidden.name(),
                        e);
            }
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

    private void add(NfsFh3 file, Diropargs3 hidden) throws InterruptedException {
        if (!names.hide(file, hidden)) {
            remove(Set.of(hidden));
        }
    }

    /** A file's last channel has been closed, unless another thread has opened it again by now. */
    void closed(NfsFh3 file) throws InterruptedException {
        Set<Diropargs3> hidden = names.closing(file);
        if (!hidden.isEmpty()) {
            try {
                remove(hidden);
            } finally {
                names.closed(file);
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
