// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.net.InetSocketAddress;

/** The connection beneath a queue pair, as the queue pair uses it. Used on the loop; the addresses can be used anywhere. */
public interface ConnectionEnd {

    /** The connection identifier's native handle. */
    long handle();

    /** This side's address. */
    InetSocketAddress localAddress();

    /** The peer's address. */
    InetSocketAddress remoteAddress();

    /** Stops the queue pair, so that its work is flushed, and tells the peer. Does nothing if there is no peer to tell. */
    void disconnect();

    /** The queue pair has been destroyed; only disconnecting is left to do. */
    void release();
}
