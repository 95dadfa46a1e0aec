// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.contents;

import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;

/**
 * A READ or WRITE in flight, and the buffer that it holds until its end.
 *
 * @param offset offset in the file
 * @param length bytes requested or sent
 */
record Transfer<R>(RegisteredBuffer buffer, long offset, int length, RpcCall<R> call) {

    /** Waits until the call has ended, with success or not. An interrupt ends the wait, but does not cancel the call. */
    void awaitWithoutCancelling() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        call.completion().whenComplete((result, failure) -> ended.countDown());
        ended.await();
    }

    /**
     * Returns the buffers of abandoned transfers when these have ended. Does not wait and does not cancel them: a peer that accesses memory
     * which is no longer exposed loses its connection (RFC 5040 section 7.2).
     */
    static <R> void release(Collection<Transfer<R>> transfers, BufferPool buffers) {
        for (Transfer<R> transfer : transfers) {
            transfer.call().completion().whenComplete((result, failure) -> buffers.giveBack(transfer.buffer()));
        }
    }

    /** Waits until abandoned calls have ended, so that the caller can use their memory again. */
    static <R> void awaitEnd(Collection<RpcCall<R>> calls) {
        boolean interrupted = false;
        for (RpcCall<R> call : calls) {
            try {
                call.await();
            } catch (RpcException e) {
                // Its outcome does not matter.
            } catch (InterruptedException e) {
                interrupted = true; // The interrupted wait has cancelled and fenced this call.
                calls.forEach(RpcCall::cancel);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
