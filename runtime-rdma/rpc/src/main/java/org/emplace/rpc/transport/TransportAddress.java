// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.net.InetSocketAddress;
import java.net.URI;
import org.emplace.rpc.RpcException;

/** Reads {@code scheme://host:port}. */
public final class TransportAddress {
    private static final int MAX_PORT = 65535;

    private TransportAddress() {}

    /**
     * The socket address that a transport's URI names; IPv6 addresses stand in brackets. Looks the host up.
     *
     * @throws RpcException of kind NOT_CONNECTED if it has no host or port, or the host is unknown
     */
    public static InetSocketAddress resolve(URI address) throws RpcException {
        String host = address.getHost();
        if (host == null || address.getPort() < 0 || address.getPort() > MAX_PORT) {
            throw new RpcException(
                    RpcException.Kind.NOT_CONNECTED,
                    address
                            + ": an address has the form scheme://host:port, an IPv6 host in brackets; Rpc.locate asks a host for a program's port");
        }
        InetSocketAddress resolved = new InetSocketAddress(host, address.getPort());
        if (resolved.isUnresolved()) {
            throw new RpcException(RpcException.Kind.NOT_CONNECTED, address + ": no such host");
        }
        return resolved;
    }
}
