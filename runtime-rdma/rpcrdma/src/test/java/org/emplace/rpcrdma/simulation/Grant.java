// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.simulation;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;

/**
 * A grant of access by one end to the other. A transfer takes time: one in progress continues after the grant is
 * revoked, and the fence waits for it.
 */
final class Grant implements RemoteAccess {
    private final Schedule schedule;
    private final MemorySegment memory;
    private final Right right;
    private final RemoteSegment advertised;
    private final Runnable whenEnded;
    private final CompletableFuture<Void> fenced = new CompletableFuture<>();
    private boolean valid = true;
    private int transfers;

    Grant(Schedule schedule, MemorySegment memory, Right right, int stag, Runnable whenEnded) {
        this.schedule = schedule;
        this.memory = memory;
        this.right = right;
        this.advertised = new RemoteSegment(stag, schedule.random().nextLong(), memory.length());
        this.whenEnded = whenEnded;
    }

    @Override
    public RemoteSegment advertised() {
        return advertised;
    }

    @Override
    public CompletionStage<Void> revoke() {
        end();
        return fenced;
    }

    /** Revokes the access: the other end may start no further transfers. */
    void end() {
        if (valid) {
            valid = false;
            whenEnded.run();
            if (transfers == 0) {
                fence();
            }
        }
    }

    private void fence() {
        if (schedule.chance(50)) {
            fenced.complete(null);
        } else {
            schedule.soon(() -> fenced.complete(null));
        }
    }

    /** Whether the other end may now access a range with this right. */
    boolean allows(Right wanted, RemoteSegment range, long length) {
        long first = range.offset() - advertised.offset();
        return valid && wanted == right && first >= 0 && length <= advertised.length() - first;
    }

    /** The bytes of a permitted range. They are accessed until {@link #transferred}. */
    ByteBuffer begin(RemoteSegment range, int length) {
        transfers++;
        return memory.buffer().slice((int) (range.offset() - advertised.offset()), length);
    }

    void transferred() {
        transfers--;
        if (transfers == 0 && !valid) {
            fence();
        }
    }
}
