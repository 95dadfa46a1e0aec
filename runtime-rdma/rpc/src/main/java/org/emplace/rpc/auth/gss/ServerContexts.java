// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.emplace.reactor.Peer;
import org.emplace.rpc.auth.DiscardedCallException;
import org.emplace.xdr.XdrOpaque;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of a server's clients, by their handles. There are limits, of their number and of their bytes, for all and for each address; an address
 * that reaches one loses the contexts that it has not used for longest. So an address that makes many harms no other one, unless all together have the
 * most. Contexts that are not used for an hour are forgotten. Safe for use by several threads.
 */
final class ServerContexts {
    /** The most contexts of one address are the most of all, divided by this. */
    private static final int SHARE = 8;

    private static final int HANDLE_LENGTH = 16;
    /** Tickets live for a day at most by default, and a principal may be disabled meanwhile. */
    private static final long OLDEST_NANOS = TimeUnit.HOURS.toNanos(24);

    private static final long IDLE_NANOS = TimeUnit.HOURS.toNanos(1);

    /** What a context has beside what its token brought: keys, names, the numbers that were seen. */
    private static final int CONTEXT_BYTES = 4 * 1024;

    /** All have the bytes of the most contexts with tokens of 4 KiB: a token may bring some groups, or 64 KiB of them. */
    private static final int USUAL_BYTES = CONTEXT_BYTES + 4 * 1024;

    private final Map<XdrOpaque, Entry> entries = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final int most;
    private final LongSupplier nanoTime;

    /**
     * Without contexts.
     *
     * @param most the most contexts
     */
    ServerContexts(int most, LongSupplier nanoTime) {
        this.most = most;
        this.nanoTime = nanoTime;
    }

    /** A context with its handle and the sequence numbers that were seen. */
    final class Entry {
        private final XdrOpaque handle;
        private final SecurityContext security;
        private final Peer peer;
        private final int bytes;
        private final long created = nanoTime.getAsLong();
        private final SequenceWindow window = new SequenceWindow();
        private volatile long used = created;
        /** For how long it has not been used, when contexts were last sorted by that. Guarded by the contexts. */
        private long unusedNanos;

        private Entry(XdrOpaque handle, SecurityContext security, Peer peer, int bytes) {
            this.handle = handle;
            this.security = security;
            this.peer = peer;
            this.bytes = bytes;
        }

        private boolean isOver(long now) {
            return now - created >= OLDEST_NANOS || now - used >= IDLE_NANOS;
        }

        XdrOpaque handle() {
            return handle;
        }

        SecurityContext security() {
            return security;
        }

        /** Checks the sequence number of a call whose header has been verified. */
        void requireNew(long sequence) throws DiscardedCallException {
            used = nanoTime.getAsLong();
            synchronized (window) {
                if (!window.isNew(sequence)) {
                    throw new DiscardedCallException(
                            "the sequence number " + sequence + " was used before, or is too old");
                }
            }
        }
    }

    /** The context with a handle; null if there is none, it is as old as a ticket may be, or it was not used for long. */
    @Nullable
    Entry find(XdrOpaque handle) {
        Entry found = entries.get(handle);
        return found == null || found.isOver(nanoTime.getAsLong()) ? null : found;
    }

    /**
     * Adds a context of a client, and forgets others if there are too many or they are too old.
     *
     * @param token the bytes of the token that created it, of which it may keep as many
     */
    synchronized Entry add(SecurityContext security, Peer peer, int token) {
        long now = nanoTime.getAsLong();
        int bytes = CONTEXT_BYTES + token;
        entries.values().removeIf(each -> each.isOver(now) || each.security.isExpired());
        List<Entry> all = new ArrayList<>(entries.values());
        // Of one moment: calls that use contexts meanwhile must not change the order.
        all.forEach(each -> each.unusedNanos = now - each.used);
        all.sort(Comparator.comparingLong((Entry each) -> each.unusedNanos).reversed());
        List<Entry> own = new ArrayList<>(all);
        own.removeIf(each -> !each.peer.equals(peer));
        while (!own.isEmpty() && (isFull(own, bytes, SHARE) || isFull(all, bytes, 1))) {
            Entry oldest = own.remove(0);
            all.remove(oldest);
            remove(oldest);
        }
        while (!all.isEmpty() && isFull(all, bytes, 1)) {
            remove(all.remove(0));
        }
        byte[] handle = new byte[HANDLE_LENGTH];
        random.nextBytes(handle);
        Entry added = new Entry(XdrOpaque.of(handle), security, peer, bytes);
        entries.put(added.handle, added);
        return added;
    }

    /** Whether some contexts leave no room for another one in one of so many shares. */
    private boolean isFull(List<Entry> some, int bytes, int shares) {
        long taken = some.stream().mapToLong(each -> each.bytes).sum();
        int mostOfShare = Math.max(1, most / shares);
        return some.size() >= mostOfShare || taken + bytes > (long) mostOfShare * USUAL_BYTES;
    }

    void remove(Entry entry) {
        entries.remove(entry.handle, entry);
    }

    int size() {
        return entries.size();
    }
}
