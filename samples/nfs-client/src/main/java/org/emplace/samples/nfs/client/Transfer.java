// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;

/**
 * A READ or WRITE in flight, with the buffer that it holds until it has ended.
 *
 * @param offset where in the file
 * @param length bytes asked for or sent
 */
record Transfer<R>(RegisteredBuffer buffer, long offset, int length, RpcCall<R> call) {

    /** Waits until it has ended, however; an interrupt does not cancel it. */
    void awaitWithoutCancelling() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        call.completion().whenComplete((result, failure) -> ended.countDown());
        ended.await();
    }

    /**
     * Gives the buffers of transfers whose outcome is of no interest any more back when they have ended. Does not wait, and does not cancel
     * them: a peer that is about to reach memory which is no longer exposed loses its connection (RFC 5040 section 7.2).
     */
    static <R> void release(Collection<Transfer<R>> transfers, BufferPool buffers) {
        for (Transfer<R> transfer : transfers) {
            transfer.call().completion().whenComplete((result, failure) -> buffers.giveBack(transfer.buffer()));
        }
    }

    /** Waits until calls have ended whose outcome is of no interest any more, and their memory is the caller's again. */
    static <R> void awaitEnd(Collection<RpcCall<R>> calls) {
        boolean interrupted = false;
        for (RpcCall<R> call : calls) {
            try {
                call.await();
            } catch (RpcException e) {
                // Whether it failed makes no difference.
            } catch (InterruptedException e) {
                interrupted = true; // The call is fenced all the same.
                calls.forEach(RpcCall::cancel);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
