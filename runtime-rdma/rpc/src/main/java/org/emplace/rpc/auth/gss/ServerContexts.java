// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.emplace.reactor.Peer;
import org.emplace.rpc.auth.DiscardedCallException;
import org.emplace.xdr.XdrOpaque;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of a server's clients, by their handles. There is a limit for all and one for each address; an address that reaches either loses the
 * context that it has not used for longest. So an address that makes many harms no other one, unless all together have the most. Safe for use by several
 * threads.
 */
final class ServerContexts {
    /** The most contexts of one address are the most of all, divided by this. */
    private static final int SHARE = 8;

    private static final int HANDLE_LENGTH = 16;
    /** Tickets live for a day at most by default, and a principal may be disabled meanwhile. */
    private static final long OLDEST_NANOS = TimeUnit.HOURS.toNanos(24);

    private final Map<XdrOpaque, Entry> entries = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final int most;

    /** @param most the most contexts */
    ServerContexts(int most) {
        this.most = most;
    }

    /** A context with its handle and the sequence numbers that were seen. */
    static final class Entry {
        private final XdrOpaque handle;
        private final SecurityContext security;
        private final Peer peer;
        private final long created = System.nanoTime();
        private final SequenceWindow window = new SequenceWindow();
        private volatile long used = created;

        private Entry(XdrOpaque handle, SecurityContext security, Peer peer) {
            this.handle = handle;
            this.security = security;
            this.peer = peer;
        }

        XdrOpaque handle() {
            return handle;
        }

        SecurityContext security() {
            return security;
        }

        /** Checks the sequence number of a call whose header has been verified. */
        void requireNew(long sequence) throws DiscardedCallException {
            used = System.nanoTime();
            synchronized (window) {
                if (!window.isNew(sequence)) {
                    throw new DiscardedCallException(
                            "the sequence number " + sequence + " was used before, or is too old");
                }
            }
        }
    }

    /** The context with a handle; null if there is none, or it is as old as a ticket may be. */
    @Nullable
    Entry find(XdrOpaque handle) {
        Entry found = entries.get(handle);
        return found == null || System.nanoTime() - found.created >= OLDEST_NANOS ? null : found;
    }

    /** Adds a context of a client, and forgets others if there are too many or they are too old. */
    synchronized Entry add(SecurityContext security, Peer peer) {
        long now = System.nanoTime();
        List<Entry> own = new ArrayList<>();
        for (Entry each : entries.values()) {
            if (now - each.created >= OLDEST_NANOS || each.security.isExpired()) {
                remove(each);
            } else if (each.peer.equals(peer)) {
                own.add(each);
            }
        }
        if (own.size() >= Math.max(1, most / SHARE) || entries.size() >= most) {
            remove(oldest(own.isEmpty() ? List.copyOf(entries.values()) : own, now));
        }
        byte[] handle = new byte[HANDLE_LENGTH];
        random.nextBytes(handle);
        Entry added = new Entry(XdrOpaque.of(handle), security, peer);
        entries.put(added.handle, added);
        return added;
    }

    private static Entry oldest(List<Entry> of, long now) {
        return of.stream()
                .max(Comparator.comparingLong(each -> now - each.used))
                .orElseThrow();
    }

    void remove(Entry entry) {
        entries.remove(entry.handle, entry);
    }

    int size() {
        return entries.size();
    }
}
