// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.net.URI;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpcrdma.RawPeer;

/**
 * Servers of some protocols, and connections to them: by RDMA with two inline thresholds, each with as much memory for
 * results as usual and with less, and by TCP.
 */
final class Network implements AutoCloseable {
    private static final List<Sizes> BY_RDMA = List.of(new Sizes(1024, 256 << 10), new Sizes(8192, 64 << 10));

    /** An inline threshold, and the maximum message of a client with little memory. */
    private record Sizes(int threshold, int little) {}

    private final List<RpcServer> servers = new ArrayList<>();
    private final List<Peer> peers = new ArrayList<>();
    private final Transfers transfers = new Transfers();
    private final IdentityHashMap<Program, Served<?, ?>> served = new IdentityHashMap<>();

    Network(List<Program> programs) throws RpcException {
        Area sources = new Area(true);
        programs.forEach(each ->
                served.put(each, new Served<>(each.procedure(), each.draft().fetches(), sources)));
        RpcProgram[] called =
                programs.stream().map(each -> each.procedure().program()).toArray(RpcProgram[]::new);
        for (Sizes sizes : BY_RDMA) {
            ConnectionOptions options = ConnectionOptions.DEFAULT.withInlineThreshold(sizes.threshold());
            RpcServer.Builder builder = RpcServer.builder().options(options).threads(4);
            served.values().forEach(each -> builder.service(each.service()));
            builder.listen(URI.create("rdma://" + RawPeer.HOST + ":0"));
            builder.listen(URI.create("tcp://" + RawPeer.HOST + ":0"));
            RpcServer server = builder.start();
            servers.add(server);
            connect("rdma", 0, server, options, called);
            connect("rdma", 0, server, options.withMaxMessage(sizes.little()), called);
        }
        connect("tcp", 1, servers.get(0), ConnectionOptions.DEFAULT.withInlineThreshold(1024), called);
    }

    private void connect(String scheme, int index, RpcServer server, ConnectionOptions options, RpcProgram... called)
            throws RpcException {
        URI address = URI.create(scheme + "://" + RawPeer.HOST + ":"
                + server.addresses().get(index).getPort());
        String name = scheme + ", inline threshold " + options.inlineThreshold().orElseThrow() + ", maximum message "
                + options.maxMessage();
        peers.add(new Peer(name, options, Rpc.connect(address, options.withObserver(transfers), called), transfers));
    }

    /** The ways in which all calls moved their bytes. */
    Transfers transfers() {
        return transfers;
    }

    List<Peer> peers() {
        return peers;
    }

    Served<?, ?> served(Program program) {
        Served<?, ?> found = served.get(program);
        if (found == null) {
            throw new IllegalArgumentException("not served: " + program.draft().seed());
        }
        return found;
    }

    @Override
    public void close() {
        peers.forEach(Peer::close);
        servers.forEach(RpcServer::close);
    }
}
