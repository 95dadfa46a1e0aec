// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.emplace.RpcServer;
import org.emplace.benchmarks.darpc.DarpcServer;
import org.emplace.benchmarks.grpc.GrpcConnection;
import org.emplace.benchmarks.grpc.GrpcServer;
import org.emplace.benchmarks.load.Footprint;
import org.emplace.benchmarks.load.UsageMeter;
import org.emplace.benchmarks.raw.RawServer;

/**
 * The program of a server process: {@code ServerProgram URI}. Prints {@code listening PORT}, then answers each line of standard input until the input
 * ends:
 *
 * <ul>
 *   <li>{@code usage}: prints its {@link org.emplace.benchmarks.load.Usage}
 *   <li>{@code memory}: prints its {@link Footprint}
 *   <li>{@code release}: answers the held calls, and holds no later ones; prints {@code released}
 * </ul>
 *
 * <p>The URI is {@code rdma://host:port} or {@code tcp://host:port} for the NFS service, {@code grpc://host:port} for gRPC,
 * {@code raw://host:port} for plain sockets, {@code discard://host:port} for a program that only reads; port 0 selects a free port. {@code darpc} is
 * DaRPC, always at the same port.
 */
public final class ServerProgram {
    private static final int CONNECTIONS = 100_000;
    /** DaRPC does not report the port that it uses, so it is fixed. */
    private static final int DARPC_PORT = 20_103;

    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private final UsageMeter usage = new UsageMeter();

    private ServerProgram() {}

    /** Listens and answers the lines. */
    public static void main(String[] args) throws Exception {
        new ServerProgram().serve(URI.create(args[0]));
    }

    private void serve(URI address) throws Exception {
        InetSocketAddress local = new InetSocketAddress(address.getHost(), address.getPort());
        switch (address.getScheme()) {
            case "raw" -> {
                try (RawServer server = new RawServer(local)) {
                    answer(server.address(), () -> 0);
                }
            }
            case "discard" -> {
                try (DiscardServer server = new DiscardServer(local)) {
                    answer(server.address(), () -> 0);
                }
            }
            case "darpc" -> {
                InetSocketAddress known = new InetSocketAddress(address.getHost(), DARPC_PORT);
                DarpcServer.start(known);
                answer(known, () -> 0);
                System.exit(0);
            }
            case "grpc" -> {
                try (GrpcServer server = new GrpcServer(local, released)) {
                    answer(server.address(), GrpcConnection::directMemory);
                }
            }
            default -> {
                try (RpcServer server = RpcServer.builder()
                        .service(new MemoryFile(released).service())
                        .maxConnections(CONNECTIONS)
                        .listen(address)
                        .start()) {
                    answer(server.addresses().get(0), () -> 0);
                }
            }
        }
    }

    private void answer(InetSocketAddress address, LongSupplier uncounted) throws IOException, InterruptedException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("listening " + address.getPort());
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            switch (line) {
                case "usage" -> System.out.println(usage.read().toLine());
                case "memory" -> System.out.println(Footprint.measure(uncounted).toLine());
                case "release" -> {
                    released.complete(null);
                    System.out.println("released");
                }
                default -> throw new IllegalArgumentException("usage, memory and release exist, not " + line);
            }
        }
    }
}
