// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.emplace.samples.nfs.protocol.Diropargs3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/**
 * Under which names a program has files open, which names it is just changing, and which openings have met that. Makes no calls: whoever
 * makes one says so before and after. Safe for use by several threads.
 */
final class OpenNames {
    private final Predicate<NfsFh3> isInUse;
    private final Map<NfsFh3, OpenFile> open = new HashMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<Opening> openings = new ArrayList<>();

    /** @param isInUse whether a channel has a file open; does not wait */
    OpenNames(Predicate<NfsFh3> isInUse) {
        this.isInUse = isInUse;
    }

    /** The last names of an open file, so far as this program knows them, and its hidden ones. */
    private static final class OpenFile {
        final Set<XdrString> names = new HashSet<>();
        final Set<Diropargs3> hidden = new HashSet<>();
        /** Nobody has it open any more, and the hidden names are being removed. */
        boolean closed;
    }

    /** A change of a name, or the renaming of the first of two to the second. */
    static final class Change {
        private final List<Diropargs3> places;

        private Change(List<Diropargs3> places) {
            this.places = places;
        }

        private boolean concerns(Set<XdrString> names) {
            return places.stream().anyMatch(place -> names.contains(place.name()));
        }

        /** Adds the name that a file with these may have now. */
        private void follow(Set<XdrString> names) {
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

        /**
         * The file has been opened under a name. Waits while this program changes that.
         *
         * @return whether it has, so that this file may not exist any more
         */
        boolean opened(NfsFh3 file, XdrString name) throws InterruptedException {
            synchronized (OpenNames.this) {
                boolean mayBeGone = false;
                OpenFile opened = open.computeIfAbsent(file, key -> new OpenFile());
                while (opened.closed) {
                    mayBeGone = true;
                    OpenNames.this.wait();
                    opened = open.computeIfAbsent(file, key -> new OpenFile());
                }
                Set<XdrString> names = opened.names;
                names.add(name);
                met.forEach(change -> change.follow(names));
                return hasMet(names) || mayBeGone;
            }
        }

        /** Waits for the changes of these names that it has met, and forgets them. Returns whether there were any. */
        boolean hasMet(Set<XdrString> names) throws InterruptedException {
            synchronized (OpenNames.this) {
                List<Change> same =
                        met.stream().filter(change -> change.concerns(names)).toList();
                met.removeAll(same);
                while (changes.stream().anyMatch(same::contains)) {
                    OpenNames.this.wait();
                }
                return !same.isEmpty();
            }
        }

        @Override
        public void close() {
            synchronized (OpenNames.this) {
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

    /**
     * Begins a change of these names. Waits while another changes one of them.
     *
     * @param by the opening that makes it, which does not meet it; null if none does
     */
    synchronized Change begin(@Nullable Opening by, List<Diropargs3> places) throws InterruptedException {
        Change begun = new Change(places);
        while (changes.stream().anyMatch(other -> other.places.stream().anyMatch(places::contains))) {
            wait();
        }
        changes.add(begun);
        if (places.size() > 1) {
            open.values().forEach(file -> begun.follow(file.names));
        }
        openings.stream().filter(each -> !each.equals(by)).forEach(each -> each.met.add(begun));
        return begun;
    }

    synchronized void end(Change change) {
        changes.remove(change);
        notifyAll();
    }

    /** Whether an open file may have a name, in some directory. */
    synchronized boolean mayBeOpen(XdrString name) {
        return open.values().stream().anyMatch(file -> file.names.contains(name));
    }

    synchronized boolean isOpen(NfsFh3 file) {
        @Nullable OpenFile known = open.get(file);
        return known != null && !known.closed;
    }

    /** Records a hidden name. Returns false if nobody has the file open any more, so that the name must be removed. */
    synchronized boolean hide(NfsFh3 file, Diropargs3 hidden) {
        @Nullable OpenFile known = open.get(file);
        if (known == null || known.closed) {
            return false;
        }
        known.hidden.add(hidden);
        return true;
    }

    /**
     * A file's last channel has been closed, unless another thread has opened it again by now.
     *
     * @return the hidden names to remove before {@link #closed} is called; if there are none, that need not be called
     */
    synchronized Set<Diropargs3> closing(NfsFh3 file) {
        @Nullable OpenFile known = open.get(file);
        if (known == null || known.closed || isInUse.test(file)) {
            return Set.of(); // the last of those channels will clean up
        }
        if (known.hidden.isEmpty()) {
            open.remove(file);
        } else {
            known.closed = true;
        }
        return known.hidden;
    }

    synchronized void closed(NfsFh3 file) {
        open.remove(file);
        notifyAll();
    }
}
