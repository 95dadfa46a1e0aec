// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;

/**
 * The clients that are recorded on stable storage, because they may reclaim after a restart of the server. A record is a hash of the client's name and
 * its principal. Changes are noted at once, and stored by {@link #settle}, so that the state never waits for a disk.
 */
public final class RecordedClients {
    /** The most records. It exceeds the number of clients, because during the grace period there are also records of clients that have not come back. */
    static final int MOST = 8192;

    private final Set<String> recorded;
    private final Storage storage;
    private final Object storing = new Object();

    /** What is not stored yet: whether a record is to be there. */
    private final Map<String, Boolean> changes = new HashMap<>();

    private volatile boolean isSettled = true;

    /**
     * Before the first change of a server.
     *
     * @param before the records of its earlier runs
     */
    public RecordedClients(Set<String> before, Storage storage) {
        this.recorded = new HashSet<>(before);
        this.storage = storage;
    }

    /** Stable storage of records. */
    @FunctionalInterface
    public interface Storage {
        /**
         * Adds and removes records. One call at a time.
         *
         * @return whether all that was to be removed is gone, for good
         */
        boolean change(Set<String> added, Set<String> removed);
    }

    /** The record of a client. */
    static String of(Opaque name, String principal) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(name.length()).flip());
            digest.update(name.bytes());
            return HexFormat.of().formatHex(digest.digest(principal.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** A copy of all records. */
    Set<String> all() {
        synchronized (changes) {
            return new HashSet<>(recorded);
        }
    }

    /** Adds a client, unless there are too many: then it cannot reclaim. */
    void add(String client) {
        synchronized (changes) {
            if (recorded.size() < MOST && recorded.add(client)) {
                note(client, true);
            }
        }
    }

    void remove(String client) {
        synchronized (changes) {
            if (recorded.remove(client)) {
                note(client, false);
            }
        }
    }

    private void note(String client, boolean isRecorded) {
        changes.put(client, isRecorded);
        isSettled = false;
    }

    /**
     * Stores all changes that were noted before.
     *
     * @return whether no change is left to store. A record that cannot be added is not tried again: its client cannot reclaim.
     */
    boolean settle() {
        if (isSettled) {
            return true;
        }
        synchronized (storing) {
            Map<String, Boolean> batch;
            synchronized (changes) {
                batch = Map.copyOf(changes);
            }
            Set<String> added = new HashSet<>();
            Set<String> removed = new HashSet<>();
            batch.forEach((client, isRecorded) -> (isRecorded ? added : removed).add(client));
            boolean isRemoved = batch.isEmpty() || storage.change(added, removed);
            synchronized (changes) {
                batch.forEach((client, isRecorded) -> {
                    if (isRecorded || isRemoved) {
                        changes.remove(client, isRecorded);
                    }
                });
                isSettled = changes.isEmpty();
            }
            return isRemoved;
        }
    }
}
