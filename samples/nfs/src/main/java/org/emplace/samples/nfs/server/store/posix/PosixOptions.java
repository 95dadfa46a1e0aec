// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.time.Duration;
import org.emplace.samples.nfs.server.store.Durability;

/**
 * The options of a posix store.
 *
 * @param callersAct whether operations are done with the callers' rights, if the process may do that; if not, with those of the server's user
 * @param durability when changes of names and attributes are on stable storage
 * @param openFiles the most files to keep open for reading, and again for writing
 * @param idle how long an unused file stays open, at least; at most half as long again
 * @param index whether to find files by an index even if the kernel could open them by handle
 */
public record PosixOptions(boolean callersAct, Durability durability, int openFiles, Duration idle, boolean index) {
    public static final PosixOptions DEFAULT =
            new PosixOptions(false, Durability.SYNCHRONOUS, 256, Duration.ofSeconds(30), false);

    /** Checks the values. */
    public PosixOptions {
        if (openFiles <= 0) {
            throw new IllegalArgumentException("files to keep open must be at least one, not " + openFiles);
        }
    }

    public PosixOptions withCallersAct(boolean act) {
        return new PosixOptions(act, durability, openFiles, idle, index);
    }

    public PosixOptions withDurability(Durability when) {
        return new PosixOptions(callersAct, when, openFiles, idle, index);
    }

    public PosixOptions withOpenFiles(int files) {
        return new PosixOptions(callersAct, durability, files, idle, index);
    }

    public PosixOptions withIdle(Duration time) {
        return new PosixOptions(callersAct, durability, openFiles, time, index);
    }

    public PosixOptions withIndex(boolean use) {
        return new PosixOptions(callersAct, durability, openFiles, idle, use);
    }
}
