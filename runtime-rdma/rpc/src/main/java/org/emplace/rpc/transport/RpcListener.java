// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.net.InetSocketAddress;

/** A listening transport address. */
public interface RpcListener extends AutoCloseable {

    /** The address, with the real port. */
    InetSocketAddress localAddress();

    /** Stops accepting and ends the listener's connections; waits for that, but not for long. Idempotent. */
    @Override
    void close();
}
