// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.net.URI;
import java.time.Duration;
import org.emplace.Rpc;
import org.emplace.RpcServer;

/** Servers and clients over TCP on this machine. */
final class TcpLoopback {
    static final URI ANY_PORT = URI.create("tcp://127.0.0.1:0");

    /** Long enough for every call that is answered at all. */
    static final CallOptions OPTIONS = CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(20));

    private TcpLoopback() {}

    /** A server of one service on a free port. */
    static RpcServer.Builder builder(RpcService service) {
        return RpcServer.builder().service(service).listen(ANY_PORT);
    }

    /** A server that does not wait long for calls that hang when it is closed. */
    static RpcServer serve(RpcService service) throws RpcException {
        return builder(service).closeTimeout(Duration.ofMillis(50)).start();
    }

    static RpcConnection connect(RpcServer server) throws RpcException {
        return connect(server, ConnectionOptions.DEFAULT);
    }

    static RpcConnection connect(RpcServer server, ConnectionOptions options) throws RpcException {
        return Rpc.connect(
                URI.create("tcp://127.0.0.1:" + server.addresses().get(0).getPort()), options);
    }
}
