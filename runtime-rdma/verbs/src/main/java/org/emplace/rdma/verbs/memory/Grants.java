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

/** The current grants of memory access from one connection to its peer. Safe for use by several threads. */
public final class Grants {
    private final Set<Grant> held = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    Grants() {}

    /** @throws RdmaException if the connection is over */
    void checkOpen() throws RdmaException {
        if (over) {
            throw new RdmaException(Reason.DISCONNECTED, "memory exposed to a peer that is gone");
        }
    }

    /** Adds a grant. If the connection has ended meanwhile, the grant has ended too. */
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

    /** From now on nothing is granted. */
    void stop() {
        over = true;
    }

    void endAll() {
        held.forEach(this::end);
    }

    /** Access granted to one connection's peer. Its strategy determines how it is revoked. Safe for use by several threads. */
    public static final class Grant implements RemoteAccess {
        private final VerbsRegion region;
        private final RemoteSegment advertised;
        private final Consumer<Grant> revocation;
        private final AtomicBoolean revoked = new AtomicBoolean();
        private final CompletableFuture<Void> fence = new CompletableFuture<>();

        /**
         * @param revocation carried out once, by the thread that revokes; causes a call of {@link #end} soon
         */
        Grant(VerbsRegion region, RemoteSegment advertised, Consumer<Grant> revocation) {
            this.region = region;
            this.advertised = advertised;
            this.revocation = revocation;
        }

        /** The grant holds from now on. */
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
            return fence.minimalCompletionStage();
        }

        /** Whether the caller has to revoke the access. */
        boolean claim() {
            return revoked.compareAndSet(false, true);
        }

        /** Runs {@code action} when the peer no longer has access, whoever revoked it. */
        public void whenEnded(Runnable action) {
            CompletableFuture<Void> unused = fence.thenRun(action);
        }

        /** The peer has no access any more. Idempotent. */
        void end() {
            revoked.set(true);
            region.ended(this);
            fence.complete(null);
        }
    }
}
