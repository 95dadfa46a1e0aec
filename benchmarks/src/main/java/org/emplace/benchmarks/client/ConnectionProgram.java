// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
import org.emplace.benchmarks.grpc.GrpcConnection;
import org.emplace.benchmarks.load.Connection;
import org.emplace.benchmarks.load.Footprint;
import org.emplace.benchmarks.raw.RawConnection;

/**
 * The program of a client process that opens connections: {@code ConnectionProgram URI}, with the schemes {@code rdma}, {@code tcp},
 * {@code grpc} and {@code raw} of the other client program. Prints {@code ready}, then answers each line of standard input until the input ends:
 *
 * <ul>
 *   <li>{@code open N}: opens N more connections; prints the nanoseconds that it took
 *   <li>{@code hold N}: starts N calls on the connection opened first, which the server holds; prints {@code held}
 *   <li>{@code await}: waits for those calls; prints {@code answered}
 *   <li>{@code close}: closes all connections; prints {@code closed}
 *   <li>{@code memory}: prints a {@link Footprint}
 * </ul>
 */
public final class ConnectionProgram {
    private ConnectionProgram() {}

    /** Answers the lines. */
    public static void main(String[] args) throws Exception {
        URI address = URI.create(args[0]);
        LongSupplier uncounted = address.getScheme().equals("grpc") ? GrpcConnection::directMemory : () -> 0;
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (ClientConnections connections = new ClientConnections(() -> connect(address))) {
            System.out.println("ready");
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                System.out.println(answer(line.split(" ", -1), connections, uncounted));
            }
        }
    }

    private static String answer(String[] words, ClientConnections connections, LongSupplier uncounted)
            throws Exception {
        switch (words[0]) {
            case "open" -> {
                return String.valueOf(connections.open(Integer.parseInt(words[1])));
            }
            case "hold" -> {
                connections.hold(Integer.parseInt(words[1]));
                return "held";
            }
            case "await" -> {
                connections.awaitHeld();
                return "answered";
            }
            case "close" -> {
                connections.close();
                return "closed";
            }
            case "memory" -> {
                return Footprint.measure(uncounted).toLine();
            }
            default -> throw new IllegalArgumentException("open, hold, await, close and memory exist, not " + words[0]);
        }
    }

    private static Connection connect(URI address) throws IOException {
        InetSocketAddress server = new InetSocketAddress(address.getHost(), address.getPort());
        return switch (address.getScheme()) {
            case "rdma", "tcp" -> StubConnection.to(address);
            case "grpc" -> GrpcConnection.to(server);
            case "raw" -> RawConnection.to(server, false);
            default -> throw new IllegalArgumentException(address + ": rdma, tcp, grpc and raw exist");
        };
    }
}
