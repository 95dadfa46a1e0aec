// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.net.InetSocketAddress;
import org.emplace.rpc.limits.ConnectionLimit;

/** An address at which a transport accepts connections. */
public interface RpcListener extends AutoCloseable {

    /** The address, with the actual port. */
    InetSocketAddress localAddress();

    /**
     * Stops accepting connections, and closes those of the server: all that its {@link ConnectionLimit} has admitted.
     * Waits a short time until they have ended. Idempotent.
     */
    @Override
    void close();
}
