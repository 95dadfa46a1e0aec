// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import org.emplace.rdma.Completion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.Receives;
import org.jspecify.annotations.Nullable;

/** Where the messages of one connection's peer come in, and how many it may send. Safe for use by several threads. */
public interface ConnectionReceives {

    /** What to connect or accept with. */
    Receives receives();

    /** The credits of the peer's calls. */
    CallCredits credits();

    /** The connection stands: Receives can be posted on it from here on. */
    void established(QueuePair connection);

    /** The message that a Receive brought; null if it brought none. Its holder releases it. */
    @Nullable
    ReceivedMessage completed(Completion receive);

    /**
     * A call of this side is about to be sent: there has to be a Receive for its reply.
     *
     * @throws RdmaException with reason NO_RESOURCES if there can be none
     */
    void expectReply() throws RdmaException;

    /** The reply has come. */
    void replyCame();

    /** The connection is over or never came about, and the provider is done with its memory. Idempotent. */
    void disconnected();
}
