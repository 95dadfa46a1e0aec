// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.concurrent.CompletionStage;

/** How a transport takes back what it lent to the peer for a call that is given up. */
@FunctionalInterface
public interface CallAborter {

    /**
     * Gives a call up after a timeout, a cancellation or the end of the connection. Called at most once for a call, on any thread, and
     * never for one that was claimed; possibly before the transport has started to send it, which it then must not do. Must not block
     * or throw.
     *
     * @return completes, in bounded time and however, when the peer can no longer reach the call's memory
     */
    CompletionStage<Void> abort(PendingCall<?, ?> call);
}
