// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.concurrent.CompletionStage;

/**
 * A call in flight. It completes by a reply, an error, a timeout or {@link #cancel}. In each case, its memory is fenced
 * first: the peer can no longer read the payloads of the arguments or write into the destinations (RFC 8166 section
 * 4.4.1). Safe for use by several threads.
 *
 * @param <R> the results
 */
public interface RpcCall<R> {

    /**
     * Completes with the results, or exceptionally with an {@link RpcException}; a dependent stage gets the latter as
     * the cause of a {@link java.util.concurrent.CompletionException}. Completing or cancelling a future made from this
     * stage does not affect the call. Dependent stages without their own executor must not block.
     */
    CompletionStage<R> completion();

    /**
     * Waits for the results. The call's timeout limits the wait, except with {@link CallOptions.Recovery#HARD}.
     *
     * @throws RpcException if the call fails
     * @throws InterruptedException if this thread is interrupted; the call has then been cancelled and its memory
     *     fenced
     */
    R await() throws RpcException, InterruptedException;

    /**
     * Cancels the call: it fails with {@link RpcException.Kind#CANCELLED} when its memory is fenced. Does not wait. Has
     * no effect if the call has completed.
     */
    void cancel();
}
