// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;

/** Resolves addresses of the form {@code scheme://host:port}, and adds a missing port. */
public final class TransportAddress {
    private static final int MAX_PORT = 65535;
    private static final String RDMA = "rdma";

    private TransportAddress() {}

    /**
     * Returns the socket address of a URI, whose host it looks up. An IPv6 address must be in brackets.
     *
     * @throws RpcException of kind NOT_CONNECTED if the URI has no host or port, or if the host is unknown
     */
    public static InetSocketAddress resolve(URI address) throws RpcException {
        String host = address.getHost();
        if (host == null || address.getPort() < 0 || address.getPort() > MAX_PORT) {
            throw new RpcException(
                    RpcException.Kind.NOT_CONNECTED,
                    address
                            + ": an address has the form scheme://host:port, an IPv6 host in brackets; to leave the port out, name the program to connect to, or serve one whose binding has an RDMA port");
        }
        InetSocketAddress resolved = new InetSocketAddress(host, address.getPort());
        if (resolved.isUnresolved()) {
            throw new RpcException(RpcException.Kind.NOT_CONNECTED, address + ": unknown host");
        }
        return resolved;
    }

    /** Returns an address with the given port, in place of any other. */
    public static URI withPort(URI address, int port) {
        return URI.create(address.getScheme() + "://" + address.getHost() + ":" + port);
    }

    /**
     * Returns an address with the port of the first program whose binding has one. Empty if none has, or if the address
     * is not for RDMA or has no host.
     */
    public static Optional<URI> withPortOf(List<RpcProgram> programs, URI address) {
        if (!RDMA.equalsIgnoreCase(address.getScheme()) || address.getHost() == null) {
            return Optional.empty();
        }
        return programs.stream()
                .flatMapToInt(program -> program.rdmaPort().stream())
                .mapToObj(port -> withPort(address, port))
                .findFirst();
    }
}
