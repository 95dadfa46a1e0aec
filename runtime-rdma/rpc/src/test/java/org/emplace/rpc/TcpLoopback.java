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

    /** A server that does not wait long for calls that hang when it is closed. */
    static RpcServer serve(RpcService service) throws RpcException {
        return RpcServer.builder()
                .service(service)
                .closeTimeout(Duration.ofMillis(50))
                .listen(ANY_PORT)
                .start();
    }

    static RpcConnection connect(RpcServer server) throws RpcException {
        return connect(server, ConnectionOptions.DEFAULT);
    }

    static RpcConnection connect(RpcServer server, ConnectionOptions options) throws RpcException {
        return Rpc.connect(
                URI.create("tcp://127.0.0.1:" + server.addresses().get(0).getPort()), options);
    }
}
