// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.net.URI;
import java.time.Duration;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.tcp.TcpTransport;
import org.emplace.rpc.transport.RpcTransport;
import org.emplace.rpc.transport.RuntimeResources;
import org.emplace.rpc.transport.RuntimeResources.Settings;

/** Servers and clients on this machine, over TCP unless a scheme is given. They use the address of the device under test, if there is one. */
final class Loopback {
    private static final String HOST = System.getProperty("contract.address", "127.0.0.1");
    static final URI ANY_PORT = URI.create("tcp://127.0.0.1:0");

    /** Long enough for every call that is answered at all. */
    static final CallOptions OPTIONS = CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(20));

    private Loopback() {}

    /** A transport that no other test uses. */
    static RpcTransport tcp() {
        return tcp(Settings.DEFAULT.tcpMessageMemory());
    }

    /** @param memory the most bytes that the calls of peers may hold at a time; likewise the most that replies may hold */
    static RpcTransport tcp(long memory) {
        return new TcpTransport(RuntimeResources.of(Settings.DEFAULT.withTcpMessageMemory(memory)));
    }

    static RpcServer.Builder builder(RpcService service) {
        return builder("tcp", service);
    }

    /** A server of one service on a free port. */
    static RpcServer.Builder builder(String scheme, RpcService service) {
        return RpcServer.builder().service(service).listen(URI.create(scheme + "://" + HOST + ":0"));
    }

    static RpcServer serve(RpcService service) throws RpcException {
        return serve("tcp", service);
    }

    /** A server that does not wait long for calls that hang when it is closed. */
    static RpcServer serve(String scheme, RpcService service) throws RpcException {
        return builder(scheme, service).closeTimeout(Duration.ofMillis(50)).start();
    }

    static URI address(String scheme, RpcServer server) {
        return URI.create(
                scheme + "://" + HOST + ":" + server.addresses().get(0).getPort());
    }

    static RpcClient connect(RpcServer server) throws RpcException {
        return connect("tcp", server);
    }

    static RpcClient connect(RpcServer server, ConnectionOptions options) throws RpcException {
        return Rpc.connect(address("tcp", server), options);
    }

    static RpcClient connect(String scheme, RpcServer server) throws RpcException {
        return Rpc.connect(address(scheme, server));
    }
}
