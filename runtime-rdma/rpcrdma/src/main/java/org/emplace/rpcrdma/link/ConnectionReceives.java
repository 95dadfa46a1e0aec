// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.Receives;
import org.emplace.rdma.WorkRequest.Completion;
import org.jspecify.annotations.Nullable;

/**
 * The Receives for the messages of one connection's peer, and the credits of the peer's calls. Safe for use by several
 * threads.
 */
public interface ConnectionReceives {

    /** The Receives for connecting or accepting. */
    Receives receives();

    /** The credits of the peer's calls. */
    CallCredits credits();

    /** Called when the connection is established: from now on Receives can be posted on it. */
    void established(QueuePair connection);

    /** Returns the message that a Receive has received; null if there is none. The caller releases the message. */
    @Nullable
    ReceivedMessage completed(Completion receive);

    /**
     * Provides a Receive for the reply to a call of this side that is about to be sent.
     *
     * @throws RdmaException with reason NO_RESOURCES if no Receive can be posted
     */
    void expectReply() throws RdmaException;

    /** Called when the reply has been received, or will not be. */
    void replyCame();

    /**
     * Called when the connection is over, or its set-up has failed, and the provider no longer accesses its memory.
     * Idempotent.
     */
    void disconnected();
}
