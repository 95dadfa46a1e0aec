// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.emplace.benchmarks.client.ClientProgram;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Outcome;
import org.emplace.benchmarks.load.Usage;
import org.emplace.benchmarks.server.ServerProgram;

/** Something to be measured: a client and its server, each in a JVM of its own, on loopback. */
public final class Subject implements AutoCloseable {
    private final String name;
    private final JavaProgram server;
    private final JavaProgram client;

    private Subject(String name, JavaProgram server, JavaProgram client) {
        this.name = name;
        this.server = server;
        this.client = client;
    }

    /**
     * Starts server and client and has them connected.
     *
     * @param name in tables
     * @param serverScheme see {@link ServerProgram}
     * @param clientScheme see {@link ClientProgram}
     * @param options for both JVMs
     */
    public static Subject start(String name, String serverScheme, String clientScheme, List<String> options)
            throws IOException, InterruptedException {
        JavaProgram server = JavaProgram.start(ServerProgram.class, options, address(serverScheme, 0));
        try {
            int port = Integer.parseInt(server.answer().replace("listening ", ""));
            JavaProgram client = JavaProgram.start(ClientProgram.class, options, address(clientScheme, port));
            client.answer();
            return new Subject(name, server, client);
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static String address(String scheme, int port) {
        return URI.create(scheme + "://127.0.0.1:" + port).toString();
    }

    /** Its name in tables. */
    public String name() {
        return name;
    }

    /** Runs a load once. */
    public Measured measure(Load load) throws IOException, InterruptedException {
        Usage before = Usage.parse(server.ask("usage"));
        Outcome outcome = Outcome.parse(client.ask(load.toLine()));
        return new Measured(load, outcome, Usage.parse(server.ask("usage")).since(before));
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }

    /**
     * One run's numbers.
     *
     * @param server what the server's process used
     */
    public record Measured(Load load, Outcome outcome, Usage server) {

        /** Microseconds a call where calls were made one at a time (their median), else MiB a second. */
        public double value() {
            if (load.isOneAtATime()) {
                return outcome.medianNanos() / 1e3;
            }
            return load.calls() * (double) load.size() / (1 << 20) / (outcome.nanos() / 1e9);
        }

        /** Bytes that both processes allocated for a call. */
        public double allocatedPerCall() {
            return (outcome.usage().allocated() + server.allocated()) / (double) load.calls();
        }

        /** Processor time of both processes for a call, in microseconds. */
        public double cpuPerCall() {
            return (outcome.usage().cpuNanos() + server.cpuNanos()) / 1e3 / load.calls();
        }
    }
}
