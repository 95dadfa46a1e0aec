// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.concurrent.CompletionStage;

/** The access to a range of local memory that one connection's peer has been granted. */
public interface RemoteAccess {

    /** What the peer may do: one of the two, never both. */
    enum Right {
        /** RDMA Read by the peer. */
        REMOTE_READ,
        /** RDMA Write by the peer. */
        REMOTE_WRITE
    }

    /** What to advertise to the peer. */
    RemoteSegment advertised();

    /**
     * Revokes the access and fences the memory. The returned stage completes once the peer can neither read nor write the memory, and no placement or
     * Read Response is still in progress. If that cannot be achieved in bounded time, the connection is closed first. Completes at once after a
     * remote invalidation or disconnection. Idempotent; never fails.
     */
    CompletionStage<Void> revoke();
}
