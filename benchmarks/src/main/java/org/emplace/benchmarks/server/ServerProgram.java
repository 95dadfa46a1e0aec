// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.emplace.RpcServer;
import org.emplace.benchmarks.load.Usage;
import org.emplace.benchmarks.load.UsageMeter;
import org.emplace.benchmarks.raw.RawServer;

/**
 * A server in a process of its own: {@code ServerProgram URI}. Prints {@code listening PORT}, then answers each line of standard input with
 * its {@link Usage}, until the input ends.
 *
 * <p>The URI is {@code rdma://host:port} or {@code tcp://host:port} for the NFS service, {@code raw://host:port} for plain sockets; port 0
 * takes a free one.
 */
public final class ServerProgram {
    private ServerProgram() {}

    /** Listens and answers. */
    public static void main(String[] args) throws IOException {
        URI address = URI.create(args[0]);
        if (address.getScheme().equals("raw")) {
            try (RawServer server = new RawServer(new InetSocketAddress(address.getHost(), address.getPort()))) {
                answer(server.address());
            }
        } else {
            try (RpcServer server = RpcServer.builder()
                    .service(new MemoryFile().service())
                    .listen(address)
                    .start()) {
                answer(server.addresses().get(0));
            }
        }
    }

    private static void answer(InetSocketAddress address) throws IOException {
        UsageMeter meter = new UsageMeter();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("listening " + address.getPort());
        while (input.readLine() != null) {
            System.out.println(meter.read().toLine());
        }
    }
}
