// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.RpcService;

/** A server, a client connected to it over software iWARP, and the reports of the client's calls. */
final class Peers implements AutoCloseable {
    final RpcServer server;
    final RpcClient client;
    private final BlockingQueue<CallReport> reports = new LinkedBlockingQueue<>();

    Peers(RpcService service) throws Exception {
        this(service, ConnectionOptions.DEFAULT, ConnectionOptions.DEFAULT);
    }

    Peers(RpcService service, ConnectionOptions serving, ConnectionOptions calling) throws Exception {
        server = RpcServer.builder()
                .service(service)
                .listen(URI.create("rdma://127.0.0.1:0"))
                .options(serving)
                .start();
        client = Rpc.connect(address(), calling.withObserver(reports::add), service.program());
    }

    URI address() {
        return URI.create("rdma://127.0.0.1:" + server.addresses().get(0).getPort());
    }

    /** The report of the next completed call. */
    CallReport report() throws InterruptedException {
        CallReport report = reports.poll(20, TimeUnit.SECONDS);
        if (report == null) {
            throw new AssertionError("no call has been reported");
        }
        return report;
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
