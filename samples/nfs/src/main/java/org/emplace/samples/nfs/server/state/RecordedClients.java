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
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.emplace.samples.nfs.server.state.StateException.Status;

/**
 * The clients that are recorded on stable storage, because they may reclaim after a restart of the server. A record is a hash of the client's name and
 * its principal. An operation of the state that depends on a change of records throws {@link Unstored} before it does anything, and is run again when the
 * change is stored: the state never waits for a disk, and nobody waits but whoever needs the change.
 */
public final class RecordedClients {
    /** The most records. It exceeds the number of clients, because during the grace period there are also records of clients that have not come back. */
    static final int MOST = 8192;

    private final Set<String> recorded = ConcurrentHashMap.newKeySet();
    private final Storage storage;
    private final Object storing = new Object();

    /** What is stored next: whether a record is to be there. */
    private final Map<String, Boolean> wanted = new HashMap<>();

    /**
     * Before the first change of a server.
     *
     * @param before the records of its earlier runs
     */
    public RecordedClients(Set<String> before, Storage storage) {
        this.recorded.addAll(before);
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

    /** What has to be stored before an operation. */
    static final class Unstored extends StateException {
        private static final long serialVersionUID = 1;

        private final transient Map<String, Boolean> changes;

        private Unstored(Map<String, Boolean> changes) {
            super(Status.DELAY, "records of clients have to be stored");
            this.changes = changes;
        }
    }

    /** A copy of all records. */
    Set<String> all() {
        return new HashSet<>(recorded);
    }

    /** Has a client recorded, unless there are too many: then it cannot reclaim. */
    void requireRecorded(String client) throws Unstored {
        if (!recorded.contains(client) && recorded.size() < MOST) {
            throw new Unstored(Map.of(client, true));
        }
    }

    /** Has the records of clients removed. */
    void requireForgotten(Set<String> clients) throws Unstored {
        Map<String, Boolean> left = clients.stream()
                .filter(recorded::contains)
                .collect(Collectors.toMap(client -> client, client -> false));
        if (!left.isEmpty()) {
            throw new Unstored(left);
        }
    }

    /**
     * Stores changes, and those of others that wait for that. A record that could not be added is not tried again: its client just cannot reclaim.
     *
     * @throws StateException DELAY if a record could not be removed
     */
    void store(Unstored unstored) throws StateException {
        synchronized (wanted) {
            wanted.putAll(unstored.changes);
        }
        synchronized (storing) {
            Map<String, Boolean> batch;
            synchronized (wanted) {
                batch = Map.copyOf(wanted);
                wanted.clear();
            }
            if (!batch.isEmpty()) {
                store(batch);
            }
        }
        for (Map.Entry<String, Boolean> change : unstored.changes.entrySet()) {
            if (!change.getValue() && recorded.contains(change.getKey())) {
                throw new StateException(Status.DELAY, "the record of a client cannot be removed");
            }
        }
    }

    private void store(Map<String, Boolean> batch) {
        Set<String> added = new HashSet<>();
        Set<String> removed = new HashSet<>();
        batch.forEach((client, isRecorded) -> (isRecorded ? added : removed).add(client));
        boolean isRemoved = storage.change(added, removed);
        recorded.addAll(added);
        if (isRemoved) {
            recorded.removeAll(removed);
        }
    }
}
