// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.specs;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcService;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test whose calls go over software iWARP to its own service. */
abstract class OverRdma {
    final BlockingQueue<CallReport> reports = new LinkedBlockingQueue<>();
    RpcServer server;
    RpcConnection connection;

    abstract RpcService service();

    @BeforeEach
    void connect() throws Exception {
        server = RpcServer.builder()
                .service(service())
                .listen(URI.create("rdma://127.0.0.1:0"))
                .start();
        connection = Rpc.connect(
                URI.create("rdma://127.0.0.1:" + server.addresses().get(0).getPort()),
                ConnectionOptions.DEFAULT.withObserver(reports::add));
    }

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    static Payload direct(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return Payload.of(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
    }

    /** The first bytes of a buffer, as many as {@code text} has. */
    static String start(ByteBuffer buffer, String text) {
        byte[] bytes = new byte[text.length()];
        buffer.duplicate().rewind().get(bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
