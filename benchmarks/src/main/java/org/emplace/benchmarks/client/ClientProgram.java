// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.darpc.DarpcClient;
import org.emplace.benchmarks.grpc.GrpcClient;
import org.emplace.benchmarks.load.Client;
import org.emplace.benchmarks.load.Latency;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Outcome;
import org.emplace.benchmarks.load.Usage;
import org.emplace.benchmarks.load.UsageMeter;
import org.emplace.benchmarks.raw.RawClient;

/**
 * The program of a client process: {@code ClientProgram URI [CONNECTIONS]}. Connects, prints {@code connected}, then answers each {@link Load} on a
 * line of standard input with its {@link Outcome}, until the input ends.
 *
 * <p>The URI's scheme selects the client: {@code rdma} and {@code tcp} are Emplace's, {@code nfs-client} the other Java client over TCP,
 * {@code grpc} gRPC, {@code darpc} DaRPC, {@code raw} and {@code raw-crc} plain sockets. {@code file} is a file on any file system.
 */
public final class ClientProgram {
    private ClientProgram() {}

    /** Connects and answers loads. */
    public static void main(String[] args) throws Exception {
        UsageMeter meter = new UsageMeter();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int connections = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        try (Client client = open(URI.create(args[0]), connections)) {
            System.out.println("connected");
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                System.out.println(measure(client, Load.parse(line), meter).toLine());
            }
        }
        // The other Java client leaves threads behind that would keep the process alive.
        System.exit(0);
    }

    private static Client open(URI address, int connections) throws Exception {
        return switch (address.getScheme()) {
            case "file" -> new FileClient(address);
            case "rdma", "tcp" -> new StubClient(address, connections);
            case "nfs-client" -> new OtherJavaClient(address);
            case "darpc" -> new DarpcClient(server(address));
            case "grpc" -> new GrpcClient(server(address), connections);
            case "raw" -> new RawClient(server(address), connections, false);
            case "raw-crc" -> new RawClient(server(address), connections, true);
            default ->
                throw new IllegalArgumentException(
                        address + ": rdma, tcp, nfs-client, grpc, raw, raw-crc and file exist");
        };
    }

    private static InetSocketAddress server(URI address) {
        return new InetSocketAddress(address.getHost(), address.getPort());
    }

    private static Outcome measure(Client client, Load load, UsageMeter meter) throws Exception {
        Histogram durations = new Histogram(3);
        Usage before = meter.read();
        long start = System.nanoTime();
        client.run(load, durations);
        long nanos = System.nanoTime() - start;
        return new Outcome(nanos, Latency.of(durations), meter.read().since(before));
    }
}
