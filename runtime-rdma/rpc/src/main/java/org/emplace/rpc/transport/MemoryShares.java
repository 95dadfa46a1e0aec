// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Decides how much of a transport's memory the calls of each peer may hold, so that a peer that does not release it leaves some to others. A peer, that is an
 * IP address, may take more only if it leaves others at least a seventh of what it holds already, and a connection only if it leaves a third: one
 * peer alone can hold seven eighths and one connection three quarters, those who come later the same fraction of the rest, and one who holds nothing
 * may have the last. It accounts for memory and allocates none. Safe for use by several threads.
 */
public final class MemoryShares {
    private static final int TIMES_WHAT_A_PEER_LEAVES = 7;
    private static final int TIMES_WHAT_A_CONNECTION_LEAVES = 3;

    private static final System.Logger LOG = System.getLogger(MemoryShares.class.getName());

    private final long limit;
    private final Consumer<String> announcement;
    /** Of those that hold some. */
    private final Map<InetAddress, Long> heldByPeer = new HashMap<>();

    private long held;
    private final LogSampler refusals = new LogSampler();

    /**
     * Nothing is held yet.
     *
     * @param limit bytes that all calls may hold at a time; positive
     */
    public MemoryShares(long limit) {
        this(limit, refusal -> LOG.log(Level.WARNING, refusal));
    }

    /**
     * Nothing is held yet.
     *
     * @param limit bytes that all calls may hold at a time; positive
     * @param announcement told of some refusals in a line; must not block
     */
    public MemoryShares(long limit, Consumer<String> announcement) {
        this.limit = limit;
        this.announcement = announcement;
    }

    /** The share of one more connection, which holds nothing yet. There is nothing to close: a share is over when all is given back. */
    public Share connection(InetAddress peer) {
        return new Share(peer);
    }

    /** What the calls of one connection hold. Safe for use by several threads. */
    public final class Share {
        private final InetAddress peer;
        /** Guarded by the shares. */
        private long heldHere;

        private Share(InetAddress peer) {
            this.peer = peer;
        }

        /**
         * Takes memory for a call, which has to {@linkplain #giveBack give back} as much.
         *
         * @param bytes not negative
         * @throws IOException if that is more than the connection or its peer may hold
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
            String why = "no " + bytes + " bytes for a call from " + peer.getHostAddress() + ": its connection holds "
                    + heldHere + ", its address " + heldByThisPeer + " and all calls " + held + " of " + limit
                    + " bytes; make fewer or smaller calls at a time";
            refusals.event(count -> announcement.accept(why + ", refusals so far: " + count));
            return new IOException(why);
        }

        /** Gives back memory that was taken. */
        public void giveBack(long bytes) {
            synchronized (MemoryShares.this) {
                held -= bytes;
                heldHere -= bytes;
                heldByPeer.computeIfPresent(peer, (same, before) -> before == bytes ? null : before - bytes);
            }
        }
    }
}
