// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.net.URI;
import java.util.Set;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcException;

/** A way to carry RPC messages; found by {@link java.util.ServiceLoader}. Safe for use by several threads. */
public interface RpcTransport {

    /** The URI schemes that this transport serves: {@code tcp}, {@code rdma}. */
    Set<String> schemes();

    /**
     * Connects to {@code scheme://host:port}; blocks for at most the options' timeout.
     *
     * @throws RpcException of kind NOT_CONNECTED, with the reason in one line
     */
    TransportConnection connect(URI address, ConnectionOptions options) throws RpcException;

    /**
     * Listens on {@code scheme://host:port}; port 0 takes a free one.
     *
     * @param dispatcher gets every call that comes in over the listener's connections
     * @param limit asked about each connection; one that it does not admit is refused
     * @throws RpcException if the address is not free or not ours
     */
    RpcListener listen(URI address, ServiceDispatcher dispatcher, ConnectionOptions options, ConnectionLimit limit)
            throws RpcException;
}
