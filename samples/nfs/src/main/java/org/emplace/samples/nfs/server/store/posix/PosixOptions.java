// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.time.Duration;
import org.emplace.samples.nfs.server.store.Store.Durability;

/**
 * The options of a posix store.
 *
 * @param callersAct whether operations are done with the callers' rights, if the process may do that; if not, with those of the server's user
 * @param durability when changes of names and attributes are on stable storage
 * @param openFiles the most files to keep open for reading, and again for writing
 * @param listings the most directories to keep open for listings that continue
 * @param located the most files to keep open only to find them by their handles
 * @param idle how long an unused file stays open, at least; at most half as long again
 * @param names the most names of files that the index remembers, each at most a KiB; beyond this, files that were used least recently have to be searched for
 * @param index whether to find files by an index even if the kernel could open them by handle
 */
public record PosixOptions(
        boolean callersAct,
        Durability durability,
        int openFiles,
        int listings,
        int located,
        Duration idle,
        int names,
        boolean index) {
    public static final PosixOptions DEFAULT =
            new PosixOptions(false, Durability.SYNCHRONOUS, 256, 64, 512, Duration.ofSeconds(30), 1 << 19, false);

    /** Checks the values. */
    public PosixOptions {
        if (names < 1) {
            throw new IllegalArgumentException("names to remember must be at least one, not " + names);
        }
        if (openFiles <= 0 || listings <= 0 || located <= 0) {
            throw new IllegalArgumentException("files and directories to keep open must be at least one, not "
                    + openFiles + ", " + listings + " and " + located);
        }
    }

    public PosixOptions withCallersAct(boolean act) {
        return new PosixOptions(act, durability, openFiles, listings, located, idle, names, index);
    }

    public PosixOptions withDurability(Durability when) {
        return new PosixOptions(callersAct, when, openFiles, listings, located, idle, names, index);
    }

    public PosixOptions withOpenFiles(int files) {
        return new PosixOptions(callersAct, durability, files, listings, located, idle, names, index);
    }

    public PosixOptions withListings(int directories) {
        return new PosixOptions(callersAct, durability, openFiles, directories, located, idle, names, index);
    }

    public PosixOptions withLocated(int files) {
        return new PosixOptions(callersAct, durability, openFiles, listings, files, idle, names, index);
    }

    public PosixOptions withIdle(Duration time) {
        return new PosixOptions(callersAct, durability, openFiles, listings, located, time, names, index);
    }

    public PosixOptions withNames(int most) {
        return new PosixOptions(callersAct, durability, openFiles, listings, located, idle, most, index);
    }

    public PosixOptions withIndex(boolean use) {
        return new PosixOptions(callersAct, durability, openFiles, listings, located, idle, names, use);
    }
}
