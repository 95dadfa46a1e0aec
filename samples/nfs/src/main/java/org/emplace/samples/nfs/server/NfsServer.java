// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException;
import org.emplace.samples.nfs.protocol.Mount3Server;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.program.Mount3Program;
import org.emplace.samples.nfs.server.program.Nfs3Program;

/** Serves exports by NFS and MOUNT, both at every address, until it is closed. */
public final class NfsServer implements AutoCloseable {
    private final Exports exports;
    private final RpcServer server;
    private final List<URI> addresses;

    private NfsServer(Exports exports, RpcServer server, List<URI> addresses) {
        this.exports = exports;
        this.server = server;
        this.addresses = addresses;
    }

    /**
     * Listens.
     *
     * @param exports closed with the server; stay the caller's if this throws
     * @param addresses {@code rdma://host:port} or {@code tcp://host:port}; port 0 takes a free one
     * @param connections at a time, at most
     * @throws RpcException if one of the addresses cannot be had; then none is served
     */
    public static NfsServer start(Exports exports, List<URI> addresses, int connections) throws RpcException {
        RpcServer.Builder builder = RpcServer.builder()
                .connections(connections)
                .service(Nfs3Server.service(new Nfs3Program(exports)))
                .service(Mount3Server.service(new Mount3Program(exports)));
        addresses.forEach(builder::listen);
        RpcServer server = builder.start();
        return new NfsServer(exports, server, bound(addresses, server.addresses()));
    }

    private static List<URI> bound(List<URI> wanted, List<InetSocketAddress> real) {
        List<URI> bound = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            String authority = wanted.get(i).getAuthority();
            String host = authority.substring(0, authority.lastIndexOf(':'));
            bound.add(URI.create(
                    wanted.get(i).getScheme() + "://" + host + ":" + real.get(i).getPort()));
        }
        return List.copyOf(bound);
    }

    /** The addresses, in the order in which they were given, with their real ports. */
    public List<URI> addresses() {
        return addresses;
    }

    /** Answers the calls that run, ends all connections and closes all files. */
    @Override
    public void close() throws IOException {
        server.close();
        exports.close();
    }
}
