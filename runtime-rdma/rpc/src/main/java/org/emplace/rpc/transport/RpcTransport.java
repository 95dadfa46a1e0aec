// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.net.URI;
import java.util.Set;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.server.ServiceDispatcher;

/**
 * Carries RPC messages. {@link java.util.ServiceLoader} finds the installed transports. Implementations must be safe
 * for use by several threads.
 */
public interface RpcTransport {

    /** The URI schemes that this transport supports, such as {@code tcp} or {@code rdma}. */
    Set<String> schemes();

    /**
     * Connects to {@code scheme://host:port}. Blocks for little more than the connect timeout of the options, plus the
     * time to look up the host.
     *
     * @throws RpcException of kind NOT_CONNECTED if the connection cannot be made
     */
    TransportConnection connect(URI address, ConnectionOptions options) throws RpcException;

    /**
     * Listens at {@code scheme://host:port}; port 0 selects a free port.
     *
     * @param dispatcher answers the calls that arrive over the accepted connections
     * @param limit admits or refuses each connection
     * @throws RpcException if the address is in use, or does not belong to this machine
     */
    RpcListener listen(URI address, ServiceDispatcher dispatcher, ConnectionOptions options, ConnectionLimit limit)
            throws RpcException;
}
