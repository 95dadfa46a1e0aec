// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.concurrent.CompletionStage;

/** The access to a range of local memory that one connection's peer has been granted. */
public interface RemoteAccess {

    /** What the peer may do: never more than one of the two. */
    enum Right {
        /** RDMA Read by the peer. */
        REMOTE_READ,
        /** RDMA Write by the peer. */
        REMOTE_WRITE
    }

    /** What to advertise to the peer. */
    RemoteSegment advertised();

    /**
     * Takes the access back and fences the memory: the returned stage completes once the peer can neither read nor write it and no
     * placement or Read Response that had begun is still in progress. Where that cannot be had in bounded time the connection is
     * closed first. Completes at once after a remote invalidation or disconnection. Idempotent; never fails.
     */
    CompletionStage<Void> revoke();
}
