// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.concurrent.CompletionStage;

/**
 * A call in flight. It completes, whether by a reply, an error, a timeout or {@link #cancel}, only after its memory is fenced: the
 * peer can then neither read the arguments' payloads nor write into the destinations (RFC 8166 section 4.4.1).
 */
public interface RpcCall<R> {

    /**
     * The outcome: the results, or an {@link RpcException}, which dependents may see as the cause of a
     * {@link java.util.concurrent.CompletionException}, as stages have it. Completing or cancelling a future made from this stage does
     * not affect the call. Dependents without an executor of their own must not block.
     */
    CompletionStage<R> completion();

    /**
     * Waits for the outcome; the wait is bounded by the call's timeout.
     *
     * @throws InterruptedException if interrupted; the call is then cancelled, and its memory is fenced before this method throws
     */
    R await() throws RpcException, InterruptedException;

    /** Gives up: the call fails with {@link RpcException.Kind#CANCELLED} once its memory is fenced. No effect if it has completed. */
    void cancel();
}
