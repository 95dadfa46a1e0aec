// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Limits how much of a transport's memory the calls of each peer hold, so that a peer that does not release memory leaves some
 * for others. A peer (an IP address) may take more only if at least a seventh of what it holds is left for others; a
 * connection, only if a third is left. A single peer can hold seven eighths and a single connection three quarters;
 * later ones, the same fraction of the rest. A peer that holds nothing may take the last bytes. This class only counts
 * bytes; it allocates no memory. Safe for use by several threads.
 */
public final class MemoryShares {
    private static final int TIMES_WHAT_A_PEER_LEAVES = 7;
    private static final int TIMES_WHAT_A_CONNECTION_LEAVES = 3;

    private static final System.Logger LOG = System.getLogger(MemoryShares.class.getName());

    private final long limit;
    private final Consumer<String> announcement;
    /** The bytes held by each peer that holds any. */
    private final Map<InetAddress, Long> heldByPeer = new HashMap<>();

    private long held;
    private final LogSampler refusals = new LogSampler();

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

    /** Returns the share of a new connection. It need not be closed: it must only give back all bytes. */
    public Share connection(InetAddress peer) {
        return new Share(peer);
    }

    /** The bytes that the calls of one connection hold. Safe for use by several threads. */
    public final class Share {
        private final InetAddress peer;
        /** Guarded by the shares. */
        private long heldHere;

        private Share(InetAddress peer) {
            this.peer = peer;
        }

        /**
         * Takes bytes for a call, which must {@linkplain #giveBack give back} as many.
         *
         * @param bytes the number of bytes; not negative
         * @throws IOException if the connection or its peer may not hold so many
         */
        public void take(long bytes) throws IOException {
            synchronized (MemoryShares.this) {
                long heldByThisPeer = heldByPeer.getOrDefault(peer, 0L);
                long left = limit - held - bytes;
                if (left < 0
                        || heldByThisPeer > TIMES_WHAT_A_PEER_LEAVES * left
                        || heldHere > TIMES_WHAT_A_CONNECTION_LEAVES * left) {
                    throw refuse(bytes, heldByThisPeer);
                }
                held += bytes;
                heldHere += bytes;
                heldByPeer.put(peer, heldByThisPeer + bytes);
            }
        }

        private IOException refuse(long bytes, long heldByThisPeer) {
            String why = "cannot allocate " + bytes + " bytes for a call from " + peer.getHostAddress()
                    + ": its connection holds "
                    + heldHere + ", its address " + heldByThisPeer + " and all calls " + held + " of " + limit
                    + " bytes; make fewer or smaller calls at a time";
            refusals.event(count -> announcement.accept(why + "; such calls so far: " + count));
            return new IOException(why);
        }

        /** Gives back bytes that were taken. */
        public void giveBack(long bytes) {
            synchronized (MemoryShares.this) {
                held -= bytes;
                heldHere -= bytes;
                heldByPeer.computeIfPresent(peer, (same, before) -> before == bytes ? null : before - bytes);
            }
        }
    }
}
