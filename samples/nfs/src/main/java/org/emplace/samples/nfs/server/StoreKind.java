// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.emplace.samples.nfs.server.NfsServer.Capacity;
import org.emplace.samples.nfs.server.export.Exports.StoreOpener;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.Store.Durability;
import org.emplace.samples.nfs.server.store.nio.NioOptions;
import org.emplace.samples.nfs.server.store.nio.NioStore;
import org.emplace.samples.nfs.server.store.nio.NioStore.NamesLock;
import org.emplace.samples.nfs.server.store.posix.PosixOptions;
import org.emplace.samples.nfs.server.store.posix.PosixStore;

/** Implementations of a store for directories. */
public enum StoreKind {
    /** By Linux's system calls. Callers act as themselves if this process is privileged to change its identity. */
    POSIX {
        @Override
        Store open(Path directory, Durability durability, int descriptors, int names, NamesLock lock)
                throws IOException {
            return PosixStore.open(
                    directory,
                    posixOptions(descriptors)
                            .withCallersAct(true)
                            .withDurability(durability)
                            .withNames(names));
        }
    },
    /** By {@code java.nio.file}, on any platform. */
    NIO {
        @Override
        Store open(Path directory, Durability durability, int descriptors, int names, NamesLock lock)
                throws IOException {
            return NioStore.open(
                    directory,
                    NioOptions.DEFAULT
                            .withOpenFiles(2 * openFiles(descriptors))
                            .withNodes(names)
                            .withListedNames(2 * names)
                            .withDurability(durability),
                    lock);
        }
    };

    private static final int MOST_OPEN_FILES = 256;

    /** Of so many files that are open for reading, and as many for writing, there is at most one open directory. */
    private static final int LISTING_SHARE = 4;

    private static final int LEAST_NAMES = 1 << 10;
    private static final int MOST_NAMES = 1 << 19;

    /** More than a name of 255 bytes takes in all of a store's tables, with what they hold of its file. */
    private static final int BYTES_OF_A_NAME = 1 << 11;

    /** The best kind for this system. */
    public static StoreKind ofThisSystem() {
        return System.getProperty("os.name").equals("Linux") ? POSIX : NIO;
    }

    /**
     * Opens stores of this kind, for a server with the default capacity.
     *
     * @param stores the number of stores that will be opened; they share the memory of this process
     * @throws IOException if this process may open too few files
     */
    public StoreOpener opener(int stores) throws IOException {
        return opener(stores, DescriptorBudget.of(Capacity.DEFAULT, stores));
    }

    /**
     * Opens stores of this kind.
     *
     * @param stores the number of stores that will be opened; they share the memory of this process
     * @param descriptors what stores and connections may keep open
     */
    public StoreOpener opener(int stores, DescriptorBudget descriptors) {
        int names = names(Runtime.getRuntime().maxMemory(), stores);
        NamesLock lock = new NamesLock();
        return new StoreOpener() {
            @Override
            public Store open(Path directory, boolean deferred) throws IOException {
                Durability durability = deferred ? Durability.DEFERRED : Durability.SYNCHRONOUS;
                return StoreKind.this.open(directory, durability, descriptors.eachStore(), names, lock);
            }

            @Override
            public int descriptors() {
                return descriptors.eachStore();
            }
        };
    }

    /** What a posix store keeps open, which is no more than so many files. What files to read and write and listings leave keeps files open that are only located. */
    static PosixOptions posixOptions(int descriptors) {
        int openFiles = openFiles(descriptors);
        int left = descriptors - 2 * openFiles;
        int listings = Math.max(1, Math.min(openFiles / LISTING_SHARE, left / 2));
        return PosixOptions.DEFAULT
                .withOpenFiles(openFiles)
                .withListings(listings)
                .withLocated(Math.max(1, left - listings));
    }

    /** The files that a store keeps open for reading, and again for writing. */
    static int openFiles(int descriptors) {
        return Math.max(1, Math.min(MOST_OPEN_FILES, descriptors * LISTING_SHARE / (2 * LISTING_SHARE + 1)));
    }

    /**
     * Clients make names, so what stores remember of them takes no more than half of the memory.
     *
     * @param memory of this process, in bytes
     */
    static int names(long memory, int stores) {
        long fitting = memory / 2 / BYTES_OF_A_NAME / Math.max(1, stores);
        return (int) Math.max(LEAST_NAMES, Math.min(MOST_NAMES, fitting));
    }

    /**
     * @param descriptors the most files and directories to keep open
     * @param names the number of files' names to remember
     * @param lock of the names, common to all stores, because their directories may overlap
     */
    abstract Store open(Path directory, Durability durability, int descriptors, int names, NamesLock lock)
            throws IOException;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
