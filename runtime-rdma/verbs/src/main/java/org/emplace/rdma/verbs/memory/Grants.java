// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteSegment;

/** The grants of memory access that one connection's peer has now. Safe for use by several threads. */
public final class Grants {
    private final Set<Grant> held = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    Grants() {}

    /** @throws RdmaException DISCONNECTED if the connection has ended */
    void checkOpen() throws RdmaException {
        if (over) {
            throw new RdmaException(Reason.DISCONNECTED, "memory exposed to a peer that is gone");
        }
    }

    /** Adds a grant. If the connection has ended in the meantime, the grant ends too. */
    Grant begin(Grant grant) {
        held.add(grant);
        grant.begin();
        if (over) {
            end(grant);
        }
        return grant;
    }

    void end(Grant grant) {
        held.remove(grant);
        grant.end();
    }

    /** Stops granting: a grant that begins after this ends at once. {@link #endAll} ends the others. */
    void stop() {
        over = true;
    }

    void endAll() {
        held.forEach(this::end);
    }

    /** Access granted to one connection's peer; the strategy determines how it is revoked. Safe for use by several threads. */
    public static final class Grant implements RemoteAccess {
        private final VerbsRegion region;
        private final RemoteSegment advertised;
        private final Consumer<Grant> revocation;
        private final AtomicBoolean revoked = new AtomicBoolean();
        private final CompletableFuture<Void> fence = new CompletableFuture<>();

        /**
         * @param revocation run once, by the thread that revokes; it leads to a call of {@link #end}
         */
        Grant(VerbsRegion region, RemoteSegment advertised, Consumer<Grant> revocation) {
            this.region = region;
            this.advertised = advertised;
            this.revocation = revocation;
        }

        /** Starts the grant: closing the region revokes it from here on. */
        void begin() {
            region.granted(this);
        }

        @Override
        public RemoteSegment advertised() {
            return advertised;
        }

        @Override
        public CompletionStage<Void> revoke() {
            if (claim()) {
                revocation.accept(this);
            }
            return fence.isDone() ? FENCED : fence.minimalCompletionStage();
        }

        /** Whether the caller is the first to revoke the access, and must do so. */
        boolean claim() {
            return revoked.compareAndSet(false, true);
        }

        /** Runs {@code action} when the peer has lost its access, whoever revoked it. */
        public void whenEnded(Runnable action) {
            CompletableFuture<Void> unused = fence.thenRun(action);
        }

        /** Completes the fence: the peer has lost its access. Idempotent. */
        void end() {
            revoked.set(true);
            region.ended(this);
            fence.complete(null);
        }
    }
}
