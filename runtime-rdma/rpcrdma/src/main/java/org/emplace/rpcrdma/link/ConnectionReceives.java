// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import org.emplace.rdma.Completion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.Receives;
import org.jspecify.annotations.Nullable;

/** The Receives for the messages of one connection's peer, and the number that it may send. Safe for use by several threads. */
public interface ConnectionReceives {

    /** The Receives to connect or accept with. */
    Receives receives();

    /** The credits of the peer's calls. */
    CallCredits credits();

    /** The connection is established: from now on Receives can be posted on it. */
    void established(QueuePair connection);

    /** The message that a Receive brought; null if it brought none. Its holder releases it. */
    @Nullable
    ReceivedMessage completed(Completion receive);

    /**
     * Provides a Receive for the reply to a call of this side that is about to be sent.
     *
     * @throws RdmaException with reason NO_RESOURCES if there can be none
     */
    void expectReply() throws RdmaException;

    /** The reply has come. */
    void replyCame();

    /** The connection is over or could not be set up, and the provider no longer uses its memory. Idempotent. */
    void disconnected();
}
