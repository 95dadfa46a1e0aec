// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.memory;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.provider.ConnectionCounters;
import org.jspecify.annotations.Nullable;

/**
 * The STags that one connection's peer may use. Each STag's index and key, and the offset of its first byte, are random, so a peer can access only
 * memory that was advertised to it and cannot guess other memory.
 */
public final class AccessTable {
    /** Enough random bytes for six exposures. Each request to the generator creates objects, so requests are few. */
    private static final int RANDOM_BYTES = 96;

    /** Guarded by itself, as is {@code closed}. */
    private final ExposedStags exposures = new ExposedStags();

    private final RetiredStags retired = new RetiredStags();
    private final SecureRandom random;
    /** Random bytes; those from the position on are unused. Guarded by itself. */
    private final ByteBuffer unused = ByteBuffer.allocate(RANDOM_BYTES).limit(0);

    private final Exposure.Fencing fencing;
    private final ConnectionCounters counters;
    private final Runnable accessEnded;
    private boolean closed;

    /**
     * Creates a table that exposes nothing.
     *
     * @param random chooses STags and offsets
     * @param fencing fences exposures that are revoked
     * @param counters counts grants and their ends
     */
    public AccessTable(SecureRandom random, Exposure.Fencing fencing, ConnectionCounters counters) {
        this.random = random;
        this.fencing = fencing;
        this.counters = counters;
        this.accessEnded = counters::accessEnded;
    }

    /** Grants access. Any thread. */
    public Exposure expose(MemorySegment segment, Right right) throws RdmaException {
        Region region = right == Right.REMOTE_WRITE ? Region.ofSink(segment) : Region.of(segment);
        if (!region.isOpen()) {
            throw new IllegalStateException("deregistered memory cannot be exposed");
        }
        long base = randomOffset();
        synchronized (exposures) {
            if (closed) {
                throw new RdmaException(RdmaException.Reason.DISCONNECTED, "memory exposed to a peer that is gone");
            }
            Exposure exposure = new Exposure(unusedStag(), base, segment, region, right, fencing, accessEnded);
            exposures.add(exposure);
            counters.accessGranted();
            return exposure;
        }
    }

    /** An STag for a Read's sink. It is in no table, so only the Read Response can use it. */
    public int sinkStag() {
        synchronized (exposures) {
            return unusedStag();
        }
    }

    private int unusedStag() {
        int stag;
        do {
            stag = randomStag();
        } while (!exposures.isFree(stag));
        return stag;
    }

    /** An offset from which 2 GiB can be counted without wrapping. */
    public long randomOffset() {
        return randomBits() & Long.MAX_VALUE;
    }

    private long randomBits() {
        synchronized (unused) {
            if (!unused.hasRemaining()) {
                random.nextBytes(unused.array());
                unused.clear();
            }
            return unused.getLong();
        }
    }

    private int randomStag() {
        int stag;
        do {
            stag = (int) randomBits();
        } while (stag == 0);
        return stag;
    }

    /** The exposure with this STag; null if there is none now. */
    public @Nullable Exposure find(int stag) {
        Exposure exposure = exposed(stag);
        return exposure != null && exposure.isLive() ? exposure : null;
    }

    private @Nullable Exposure exposed(int stag) {
        synchronized (exposures) {
            return exposures.find(stag);
        }
    }

    /** Whether any memory is exposed to the peer. */
    public boolean isExposing() {
        synchronized (exposures) {
            return !exposures.isEmpty();
        }
    }

    /**
     * On the loop: whether the peer may invalidate this STag. It also may just after this side has revoked the access, because revocation and
     * invalidation can cross.
     */
    public boolean mayInvalidate(int stag) {
        return exposed(stag) != null || retired.contains(stag);
    }

    /** On the loop: removes an exposure that has ended. */
    public void retire(Exposure exposure) {
        boolean wasExposed;
        synchronized (exposures) {
            wasExposed = exposures.remove(exposure);
        }
        if (wasExposed) {
            retired.add(exposure.stag());
        }
    }

    /** On the loop: exposes nothing from now on. Returns the remaining exposures, which the caller fences and {@linkplain #retire retires}. */
    public List<Exposure> close() {
        synchronized (exposures) {
            closed = true;
            return exposures.all();
        }
    }

    /** The STags revoked last, up to a limit. */
    private static final class RetiredStags {
        /** More than the calls of one connection whose late replies can still invalidate an STag. */
        private static final int LIMIT = 1024;

        private int[] stags = {};
        private int count;
        private int next;

        /** Adds an STag. If there are too many, drops the oldest. */
        void add(int stag) {
            if (count == stags.length && count < LIMIT) {
                stags = Arrays.copyOf(stags, Math.max(4, 2 * count));
                next = count;
            }
            stags[next] = stag;
            next = (next + 1) % stags.length;
            count = Math.min(count + 1, stags.length);
        }

        /** Whether an STag is among them. A linear search, done only if a revocation crosses the peer's invalidation. */
        boolean contains(int stag) {
            for (int i = 0; i < count; i++) {
                if (stags[i] == stag) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Exposures by STag. The low bits of an STag are its index in the table, so that a look-up neither searches nor creates an object. Exposures have
     * different indexes: an STag whose place is taken cannot be added. Not safe for use by several threads.
     */
    static final class ExposedStags {
        /** A power of two, at least twice as many as there are exposures, so that most STags find their place free. */
        private @Nullable Exposure[] places = new Exposure[4];

        private int count;

        /** Whether an exposure with this STag can be added. */
        boolean isFree(int stag) {
            return at(stag) == null;
        }

        /** Adds an exposure, whose STag must be free. */
        void add(Exposure exposure) {
            places[indexOf(exposure.stag())] = exposure;
            count++;
            if (2 * count > places.length) {
                grow();
            }
        }

        /** Doubles the table. STags with different low bits still differ when one more bit is used. */
        private void grow() {
            List<Exposure> all = all();
            places = new Exposure[2 * places.length];
            for (Exposure exposure : all) {
                places[indexOf(exposure.stag())] = exposure;
            }
        }

        /** Removes an exposure. Returns whether it was in the table. */
        boolean remove(Exposure exposure) {
            int index = indexOf(exposure.stag());
            if (places[index] != exposure) {
                return false;
            }
            places[index] = null;
            count--;
            return true;
        }

        /** The exposure with this STag; null if there is none. */
        @Nullable
        Exposure find(int stag) {
            Exposure exposure = at(stag);
            return exposure != null && exposure.stag() == stag ? exposure : null;
        }

        private @Nullable Exposure at(int stag) {
            return places[indexOf(stag)];
        }

        private int indexOf(int stag) {
            return stag & (places.length - 1);
        }

        boolean isEmpty() {
            return count == 0;
        }

        /** Returns all exposures, in a new list. */
        List<Exposure> all() {
            List<Exposure> all = new ArrayList<>(count);
            for (Exposure exposure : places) {
                if (exposure != null) {
                    all.add(exposure);
                }
            }
            return all;
        }
    }
}
