// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.limits;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.emplace.reactor.LogSampler;
import org.emplace.reactor.Peer;
import org.jspecify.annotations.Nullable;

/**
 * Limits how much of a transport's memory the calls of each peer hold, so that a peer that does not release memory
 * leaves some for others. A {@linkplain Peer peer} may take more only if at least a seventh of what it holds is left for
 * others; a connection, only if a third is left. A single peer can hold seven eighths and a single connection three
 * quarters; later ones, the same fraction of the rest. A peer that holds nothing may take the last bytes. This class
 * only counts bytes; it allocates no memory. Safe for use by several threads.
 *
 * <p>A call that needs more memory, but cannot have it, either fails or waits. Waiting calls get memory in the order of
 * their requests, as far as their shares allow. Calls that hold memory while they wait for more could wait for one
 * another forever. So one connection at a time may borrow what its call needs beyond the limits. Another may borrow
 * only when that connection has uncharged as many bytes as it borrowed.
 */
public final class MemoryShares {
    private static final int TIMES_WHAT_A_PEER_LEAVES = 7;
    private static final int TIMES_WHAT_A_CONNECTION_LEAVES = 3;

    private static final System.Logger LOG = System.getLogger(MemoryShares.class.getName());

    private final long limit;
    private final Consumer<String> announcement;
    /** The bytes held by each peer that holds any. */
    private final Map<Peer, Holder> heldByPeer = new HashMap<>();

    private long held;
    private final LogSampler refusals = new LogSampler();
    private final LogSampler failures = new LogSampler();
    private final List<Request> waiting = new ArrayList<>();
    private volatile boolean isShort;
    /** The connection that has borrowed {@link #debt} bytes; null if there is none. */
    private @Nullable Share borrower;

    private long debt;

    /**
     * Starts with no bytes held.
     *
     * @param limit the most bytes that all calls may hold; positive
     */
    public MemoryShares(long limit) {
        this(limit, refusal -> LOG.log(Level.WARNING, refusal));
    }

    /**
     * Starts with no bytes held.
     *
     * @param limit the most bytes that all calls may hold; positive
     * @param announcement gets some of the refusals, one line each; must not block
     */
    public MemoryShares(long limit, Consumer<String> announcement) {
        this.limit = limit;
        this.announcement = announcement;
    }

    /** Returns the share of a new connection. It need not be closed: it must only uncharge all bytes. */
    public Share connection(Peer peer) {
        return new Share(peer);
    }

    /** The bytes that the calls of one connection hold. Safe for use by several threads. */
    public final class Share {
        private final Peer peer;
        /** Guarded by the shares. */
        private long heldHere;

        private Share(Peer peer) {
            this.peer = peer;
        }

        /** The peer to whose share the connection's bytes count. */
        public Peer peer() {
            return peer;
        }

        /**
         * Charges bytes for a call, which must {@linkplain #uncharge uncharge} as many.
         *
         * @param bytes the number of bytes; not negative
         * @throws IOException if the connection or its peer may not hold so many
         */
        public void charge(long bytes) throws IOException {
            synchronized (MemoryShares.this) {
                if (!mayHold(bytes)) {
                    String why = "cannot allocate " + need(bytes);
                    announce(why);
                    throw new IOException(why);
                }
                hold(bytes);
            }
        }

        /** Charges bytes even if the connection then holds more than its share. */
        public void chargeBeyond(long bytes) {
            synchronized (MemoryShares.this) {
                hold(bytes);
            }
        }

        /**
         * Charges bytes as {@link #charge} does, now or as soon as the connection may hold them. A connection has at most one
         * waiting request.
         *
         * @param bytes the number of bytes; positive
         * @param most how many bytes the connection may borrow; at least {@code bytes}
         * @param charged run once if the bytes are charged later, on the thread that uncharged other bytes; must not block
         * @return whether the bytes have been charged now
         */
        public boolean chargeOrWait(long bytes, long most, Runnable charged) {
            synchronized (MemoryShares.this) {
                Request request = new Request(this, bytes, most, charged);
                if (request.granted(false)) {
                    return true;
                }
                announce("delayed the allocation of " + need(bytes));
                waiting.add(request);
                isShort = true;
                return false;
            }
        }

        /** Drops the waiting request. Returns whether there was one; if not, it may have been granted meanwhile. */
        public boolean stopWaiting() {
            synchronized (MemoryShares.this) {
                boolean waited = isShort && waiting.removeIf(request -> request.share == this);
                isShort = !waiting.isEmpty();
                return waited;
            }
        }

        /** Grants the waiting request, if there is one, even if the connection then holds more than its share: the connection is over and will soon hold nothing. */
        public void grantWaiting() {
            Request granted = nextGranted(this);
            if (granted != null) {
                run(granted);
            }
        }

        /**
         * Checks that the connection could charge so many bytes if no call held any.
         *
         * @throws UncheckedIOException if it could not: then it is of no use to wait or to try again
         */
        public void requirePossible(long bytes) {
            if (bytes > limit) {
                throw new UncheckedIOException(new IOException("a call needs " + bytes
                        + " bytes, but all calls together may hold " + limit + "; give the JVM more memory (-Xmx)"));
            }
        }

        /** Whether any connection waits for memory. */
        public boolean isShort() {
            return isShort;
        }

        /** Uncharges bytes that were charged. */
        public void uncharge(long bytes) {
            Request granted;
            synchronized (MemoryShares.this) {
                held -= bytes;
                heldHere -= bytes;
                Holder holder = heldByPeer.get(peer);
                if (holder != null) {
                    holder.bytes -= bytes;
                    if (holder.bytes == 0) {
                        heldByPeer.remove(peer);
                    }
                }
                if (borrower == this) {
                    debt = Math.max(0, debt - bytes);
                    borrower = debt == 0 ? null : this;
                }
                granted = isShort ? nextGranted(null) : null;
            }
            // One at a time, so that an Error of one takes nothing from the others.
            while (granted != null) {
                run(granted);
                granted = isShort ? nextGranted(null) : null;
            }
        }

        private boolean mayHold(long bytes) {
            // Borrowed bytes must not reduce the shares of others.
            long left = limit - (held - debt) - bytes;
            return left >= 0
                    && heldByThisPeer() <= TIMES_WHAT_A_PEER_LEAVES * left
                    && heldHere <= TIMES_WHAT_A_CONNECTION_LEAVES * left;
        }

        private boolean borrow(long bytes, long most) {
            if ((borrower != null && borrower != this) || debt + bytes > most) {
                return false;
            }
            // First, because it may fail for lack of memory.
            holder();
            borrower = this;
            debt += bytes;
            return true;
        }

        private void hold(long bytes) {
            holder().bytes += bytes;
            held += bytes;
            heldHere += bytes;
        }

        private Holder holder() {
            return heldByPeer.computeIfAbsent(peer, first -> new Holder());
        }

        private long heldByThisPeer() {
            Holder holder = heldByPeer.get(peer);
            return holder == null ? 0 : holder.bytes;
        }

        private String need(long bytes) {
            return bytes + " bytes for a call from " + peer + ": its connection holds "
                    + heldHere + ", its address " + heldByThisPeer() + " and all calls " + held + " of " + limit
                    + " bytes; make fewer or smaller calls at a time";
        }

        private void announce(String refusal) {
            refusals.event(count -> announcement.accept(refusal + "; such calls so far: " + count));
        }
    }

    /** Removes a waiting request whose bytes are now charged: that of one share in any case, or else the first that may have them. */
    private synchronized @Nullable Request nextGranted(@Nullable Share inAnyCase) {
        for (Request request : waiting) {
            if (inAnyCase == null ? request.granted(false) : request.share == inAnyCase && request.granted(true)) {
                waiting.remove(request);
                isShort = !waiting.isEmpty();
                return request;
            }
        }
        return null;
    }

    private void run(Request granted) {
        try {
            granted.charged.run();
        } catch (RuntimeException | Error broken) {
            // It is not the failure of the connection that uncharged the bytes.
            failures.failure(LOG, "a connection that waited for memory cannot use it", broken);
        }
    }

    /** What a peer holds. */
    private static final class Holder {
        private long bytes;
    }

    /** A connection's request for bytes. */
    private record Request(Share share, long bytes, long most, Runnable charged) {
        /** Charges the bytes if the connection may hold or borrow them, or in any case. Returns whether it has. */
        boolean granted(boolean inAnyCase) {
            boolean granted = inAnyCase || share.mayHold(bytes) || share.borrow(bytes, most);
            if (granted) {
                share.hold(bytes);
            }
            return granted;
        }
    }
}
