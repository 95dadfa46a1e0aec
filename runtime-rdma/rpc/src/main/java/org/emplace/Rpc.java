// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import java.net.URI;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;

/** Where clients begin: connections by address. */
public final class Rpc {
    private Rpc() {}

    /** Connects with {@link ConnectionOptions#DEFAULT}; see {@link #connect(URI, ConnectionOptions)}. */
    public static RpcConnection connect(URI address) throws RpcException {
        return connect(address, ConnectionOptions.DEFAULT);
    }

    /**
     * Connects to {@code tcp://host:port}, {@code rdma://host:port}, or by {@code unix:/path} to a socket of this machine. Blocks for at most the
     * options' timeout.
     *
     * @throws RpcException of kind NOT_CONNECTED, with the reason in one line
     */
    public static RpcConnection connect(URI address, ConnectionOptions options) throws RpcException {
        return Transports.forAddress(address).connect(address, options);
    }
}
