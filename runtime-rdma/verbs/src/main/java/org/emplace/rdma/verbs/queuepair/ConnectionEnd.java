// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.net.InetSocketAddress;

/** The connection beneath a queue pair, as far as the queue pair has a say in it. Used on the loop, addresses anywhere. */
public interface ConnectionEnd {

    /** The connection identifier's native handle. */
    long handle();

    /** This side's address. */
    InetSocketAddress localAddress();

    /** The peer's address. */
    InetSocketAddress remoteAddress();

    /** Stops the queue pair, so that its work is flushed, and tells the peer. Does nothing where there is nobody to tell. */
    void disconnect();

    /** The queue pair has been destroyed: nothing is left to do but to say good-bye. */
    void release();
}
