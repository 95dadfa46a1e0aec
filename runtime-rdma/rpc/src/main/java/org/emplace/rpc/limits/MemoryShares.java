// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.limits;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.emplace.reactor.FifoQueue;
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
 * <p>A call that needs more memory, but cannot have it, either fails or waits. Peers with waiting calls take turns, as far as
 * their shares allow; those of one peer get memory in the order of their requests. Calls that hold memory while they wait for more could wait for one
 * another forever. So one connection at a time may borrow what its call needs beyond the limits. Another may borrow
 * only when that connection has uncharged as many bytes as it borrowed.
 *
 * <p>All connections share one monitor, so what is done under it does not depend on how many calls of a peer wait: of each peer, only the first {@value
 * #REQUESTS_OF_A_PEER} requests are looked at. Others behind them cannot starve: if a peer may have memory, at most four of its connections hold so much that they may not,
 * and whoever needs too much at once can borrow.
 */
public final class MemoryShares {
    private static final int TIMES_WHAT_A_PEER_LEAVES = 7;
    private static final int TIMES_WHAT_A_CONNECTION_LEAVES = 3;

    /** How many waiting requests of one peer are looked at when bytes are uncharged. */
    private static final int REQUESTS_OF_A_PEER = 16;

    private static final System.Logger LOG = System.getLogger(MemoryShares.class.getName());

    private final long limit;
    private final Consumer<String> announcement;
    /** The peers that hold bytes or wait for some. */
    private final Map<Peer, Holder> holders = new HashMap<>();

    private long held;
    private final LogSampler refusals = new LogSampler();
    private final LogSampler failures = new LogSampler();
    /** The peers with waiting requests, in the order of their turns. */
    private final FifoQueue<Holder> line = new FifoQueue<>();

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
        /** This field and the next are guarded by the shares. */
        private long heldHere;

        private @Nullable Request waiting;

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
            Need need;
            synchronized (MemoryShares.this) {
                Holder holder = holder();
                if (mayHold(holder, bytes)) {
                    hold(holder, bytes);
                    return;
                }
                need = need(holder, bytes);
            }
            String why = "cannot allocate " + need;
            refusals.event(count -> announce(why, count));
            throw new IOException(why);
        }

        /** Charges bytes even if the connection then holds more than its share. */
        public void chargeBeyond(long bytes) {
            synchronized (MemoryShares.this) {
                hold(holder(), bytes);
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
            Need need;
            synchronized (MemoryShares.this) {
                Holder holder = holder();
                if (charges(holder, bytes, most)) {
                    return true;
                }
                need = need(holder, bytes);
            }
            // Before the request waits, because it may fail.
            refusals.event(count -> announce("delayed the allocation of " + need, count));
            synchronized (MemoryShares.this) {
                Holder holder = holder();
                if (charges(holder, bytes, most)) {
                    return true;
                }
                add(new Request(this, holder, bytes, most, charged));
                return false;
            }
        }

        /** Drops the waiting request. Returns whether there was one; if not, it may have been granted meanwhile. */
        public boolean stopWaiting() {
            synchronized (MemoryShares.this) {
                Request request = waiting;
                if (request != null) {
                    remove(request);
                    forgetIfAtRest(request.holder);
                }
                return request != null;
            }
        }

        /** Grants the waiting request, if there is one, even if the connection then holds more than its share: the connection is over and will soon hold nothing. */
        public void grantWaiting() {
            Request granted;
            synchronized (MemoryShares.this) {
                granted = waiting;
                if (granted != null) {
                    hold(granted.holder, granted.bytes);
                    remove(granted);
                }
            }
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
                Holder holder = holders.get(peer);
                if (holder != null) {
                    holder.bytes -= bytes;
                    forgetIfAtRest(holder);
                }
                if (borrower == this) {
                    debt = Math.max(0, debt - bytes);
                    borrower = debt == 0 ? null : this;
                }
                granted = isShort ? nextGranted() : null;
            }
            // One at a time, so that an Error of one takes nothing from the others.
            while (granted != null) {
                run(granted);
                granted = isShort ? nextGranted() : null;
            }
        }

        private boolean mayHold(Holder holder, long bytes) {
            return MemoryShares.this.mayHold(holder, bytes) && heldHere <= TIMES_WHAT_A_CONNECTION_LEAVES * left(bytes);
        }

        /** Charges the bytes if the connection may hold or borrow them. Returns whether it has. */
        private boolean charges(Holder holder, long bytes, long most) {
            boolean granted = mayHold(holder, bytes) || borrow(bytes, most);
            if (granted) {
                hold(holder, bytes);
            }
            return granted;
        }

        private boolean borrow(long bytes, long most) {
            if ((borrower != null && borrower != this) || debt + bytes > most) {
                return false;
            }
            borrower = this;
            debt += bytes;
            return true;
        }

        private void hold(Holder holder, long bytes) {
            holder.bytes += bytes;
            held += bytes;
            heldHere += bytes;
        }

        private Holder holder() {
            return holders.computeIfAbsent(peer, Holder::new);
        }

        private Need need(Holder holder, long bytes) {
            Need need = new Need(bytes, peer, heldHere, holder.bytes, held, limit);
            forgetIfAtRest(holder);
            return need;
        }
    }

    private boolean mayHold(Holder holder, long bytes) {
        return left(bytes) >= 0 && holder.bytes <= TIMES_WHAT_A_PEER_LEAVES * left(bytes);
    }

    /** What is left after {@code bytes} more. Borrowed bytes must not reduce the shares of others. */
    private long left(long bytes) {
        return limit - (held - debt) - bytes;
    }

    private void announce(String refusal, long count) {
        announcement.accept(refusal + "; such calls so far: " + count);
    }

    private void forgetIfAtRest(Holder holder) {
        if (holder.bytes == 0 && holder.waiting.isEmpty()) {
            holders.remove(holder.peer);
        }
    }

    private void add(Request request) {
        Holder holder = request.holder;
        holder.waiting.add(request);
        if (holder.waiting.size() == 1) {
            boolean isInLine = false;
            try {
                isInLine = line.add(holder);
            } finally {
                if (!isInLine) {
                    holder.waiting.remove(request);
                }
            }
        }
        request.share.waiting = request;
        isShort = true;
    }

    /** Removes a waiting request. Its peer goes to the end of the line. */
    private void remove(Request request) {
        Holder holder = request.holder;
        request.share.waiting = null;
        holder.waiting.remove(request);
        line.remove(holder);
        if (!holder.waiting.isEmpty()) {
            line.add(holder);
        }
        isShort = !line.isEmpty();
    }

    /** Removes and returns a waiting request that may have its bytes, which are now charged; null if there is none. */
    private synchronized @Nullable Request nextGranted() {
        // First, because others may wait for its debt.
        Request next = borrower == null ? null : borrower.waiting;
        if (next == null || !next.isGranted()) {
            next = firstGranted();
        }
        if (next != null) {
            remove(next);
        }
        return next;
    }

    private @Nullable Request firstGranted() {
        for (Holder holder : line) {
            if (borrower != null && !mayHold(holder, 1)) {
                continue;
            }
            int looks = REQUESTS_OF_A_PEER;
            for (Request request : holder.waiting) {
                if (request.isGranted()) {
                    return request;
                } else if (--looks == 0) {
                    break;
                }
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

    /** What a peer holds, and its requests that wait. */
    private static final class Holder {
        private final Peer peer;
        private final FifoQueue<Request> waiting = new FifoQueue<>();
        private long bytes;

        Holder(Peer peer) {
            this.peer = peer;
        }
    }

    /** A connection's request for bytes. */
    private static final class Request {
        private final Share share;
        private final Holder holder;
        private final long bytes;
        private final long most;
        private final Runnable charged;

        Request(Share share, Holder holder, long bytes, long most, Runnable charged) {
            this.share = share;
            this.holder = holder;
            this.bytes = bytes;
            this.most = most;
            this.charged = charged;
        }

        boolean isGranted() {
            return share.charges(holder, bytes, most);
        }
    }

    /** Bytes that could not be charged at once, and what was held. */
    private record Need(long bytes, Peer peer, long ofConnection, long ofPeer, long ofAll, long limit) {
        @Override
        public String toString() {
            return bytes + " bytes for a call from " + peer + ": its connection holds " + ofConnection
                    + ", its address " + ofPeer + " and all calls " + ofAll + " of " + limit
                    + " bytes; make fewer or smaller calls at a time";
        }
    }
}
