// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.net.InetSocketAddress;

/** The connection identifier of a queue pair, as the queue pair uses it. Used on the loop; any thread may read the addresses. */
public interface ConnectionEnd {

    /** The connection identifier's native handle. */
    long handle();

    /** This side's address. */
    InetSocketAddress localAddress();

    /** The peer's address. */
    InetSocketAddress remoteAddress();

    /** Stops the queue pair, which flushes its work, and disconnects from the peer. Does nothing if there is no peer to tell. */
    void disconnect();

    /** Called when the queue pair has been destroyed and only the disconnection remains. */
    void release();
}
