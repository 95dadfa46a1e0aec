// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.net.InetSocketAddress;

/** A listening address of a provider; see {@link RdmaProvider#listen(InetSocketAddress, int, ConnectionAcceptor)}. */
public interface RdmaListener extends AutoCloseable {

    /** The address on which it listens, with the actual port. */
    InetSocketAddress localAddress();

    /** Stops listening. Does not affect established connections, nor their shared receive queue. Idempotent. */
    @Override
    void close();
}
