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

/** A client and its server, each in its own JVM, on one address of this machine. */
public final class JavaPair implements Subject {
    private final String name;
    private final LineProgram server;
    private final LineProgram client;
    private final int port;

    private JavaPair(String name, LineProgram server, LineProgram client, int port) {
        this.name = name;
        this.port = port;
        this.server = server;
        this.client = client;
    }

    /**
     * Starts server and client, and connects them.
     *
     * @param name in tables
     * @param host the address or host name
     * @param serverScheme see {@link ServerProgram}
     * @param clientScheme see {@link ClientProgram}
     * @param connections the number of connections
     * @param placement the processors of each
     * @param options for both JVMs
     */
    public static JavaPair start(
            String name,
            String host,
            String serverScheme,
            String clientScheme,
            int connections,
            Placement placement,
            List<String> options)
            throws IOException, InterruptedException {
        LineProgram server =
                LineProgram.java(ServerProgram.class, placement.ofServer(), options, address(serverScheme, host, 0));
        try {
            int port = Integer.parseInt(server.answer().replace("listening ", ""));
            LineProgram client = LineProgram.java(
                    ClientProgram.class,
                    placement.ofClient(),
                    options,
                    address(clientScheme, host, port),
                    String.valueOf(connections));
            client.answer();
            return new JavaPair(name, server, client, port);
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static String address(String scheme, String host, int port) {
        return URI.create(scheme + "://" + host + ":" + port).toString();
    }

    /** The server's port. */
    public int port() {
        return port;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean takes(Load load) {
        return true;
    }

    @Override
    public boolean warmsUp() {
        return true;
    }

    @Override
    public Measured measure(Load load) throws IOException, InterruptedException {
        try {
            Usage before = Usage.parse(server.ask("usage"));
            Outcome outcome = Outcome.parse(client.ask(load.toLine()));
            return new Measured(load, outcome, Usage.parse(server.ask("usage")).since(before));
        } catch (IllegalArgumentException e) {
            // A JVM that crashes begins its report on standard output.
            throw new IOException("cannot read the answer of " + name + ": " + e.getMessage(), e);
        }
    }

    /** Stops both processes until {@link #resume}. */
    void suspend() throws IOException, InterruptedException {
        client.suspend();
        server.suspend();
    }

    /** Continues both processes. */
    void resume() throws IOException, InterruptedException {
        server.resume();
        client.resume();
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
