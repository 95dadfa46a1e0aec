// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.util.Collection;
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

    /** Ends transfers whose outcome is of no interest any more. Returns when their memory is free. */
    static <R> void abandon(Collection<Transfer<R>> transfers, BufferPool buffers) {
        abandon(transfers.stream().map(Transfer::call).toList());
        transfers.forEach(transfer -> buffers.giveBack(transfer.buffer()));
    }

    /** Ends calls whose outcome is of no interest any more. Returns when their memory is free. */
    static <R> void abandon(Collection<RpcCall<R>> calls) {
        calls.forEach(RpcCall::cancel);
        boolean interrupted = false;
        for (RpcCall<R> call : calls) {
            interrupted |= interruptedAwaiting(call);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean interruptedAwaiting(RpcCall<?> call) {
        try {
            call.await();
        } catch (RpcException e) {
            // It was given up: whether it failed makes no difference.
        } catch (InterruptedException e) {
            return true; // The call is fenced all the same.
        }
        return false;
    }
}
