// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

/**
 * How a tree is served.
 *
 * @param callersAct whether operations are done with the callers' rights, if the process may do that; if not, with those of the server's user
 * @param durability when changes of names and attributes are on stable storage
 * @param openFiles files to keep open at most for reading, and as many for writing
 * @param index whether files are found by an index even where the kernel could open them by handle
 */
public record PosixOptions(boolean callersAct, Durability durability, int openFiles, boolean index) {
    public static final PosixOptions DEFAULT = new PosixOptions(false, Durability.SYNCHRONOUS, 256, false);

    /** Checks the values. */
    public PosixOptions {
        if (openFiles <= 0) {
            throw new IllegalArgumentException("files to keep open must be at least one, not " + openFiles);
        }
    }

    public PosixOptions withCallersAct(boolean act) {
        return new PosixOptions(act, durability, openFiles, index);
    }

    public PosixOptions withDurability(Durability when) {
        return new PosixOptions(callersAct, when, openFiles, index);
    }

    public PosixOptions withOpenFiles(int files) {
        return new PosixOptions(callersAct, durability, files, index);
    }

    public PosixOptions withIndex(boolean use) {
        return new PosixOptions(callersAct, durability, openFiles, use);
    }
}
