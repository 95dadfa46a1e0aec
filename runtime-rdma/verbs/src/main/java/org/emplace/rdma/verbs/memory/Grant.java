// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteSegment;

/** Access that one connection's peer has been granted; how it is taken back is its strategy's. Safe for use by several threads. */
public final class Grant implements RemoteAccess {
    private final VerbsRegion region;
    private final RemoteSegment advertised;
    private final Consumer<Grant> revocation;
    private final AtomicBoolean revoked = new AtomicBoolean();
    private final CompletableFuture<Void> fence = new CompletableFuture<>();

    /** @param revocation carried out once, by the thread that revokes; has {@link #end} called soon */
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

    /** Whether the caller is the one to take the access back. */
    boolean claim() {
        return revoked.compareAndSet(false, true);
    }

    /** Has {@code action} run when the peer has no access any more, whoever took it back. */
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
