// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.emplace.benchmarks.client.ConnectionProgram;
import org.emplace.benchmarks.load.Footprint;
import org.emplace.benchmarks.server.ServerProgram;

/** A server and a client that opens connections to it, each in its own JVM, on loopback. */
public final class ConnectionPair implements AutoCloseable {
    private static final String HOST = "127.0.0.1";

    private final LineProgram server;
    private final LineProgram client;

    private ConnectionPair(LineProgram server, LineProgram client) {
        this.server = server;
        this.client = client;
    }

    /**
     * Starts server and client without connections.
     *
     * @param scheme see {@link ConnectionProgram} and {@link ServerProgram}
     * @param options for both JVMs
     */
    public static ConnectionPair start(String scheme, List<String> options) throws IOException, InterruptedException {
        LineProgram server = LineProgram.java(ServerProgram.class, List.of(), options, address(scheme, 0));
        try {
            int port = Integer.parseInt(server.answer().replace("listening ", ""));
            LineProgram client = LineProgram.java(ConnectionProgram.class, List.of(), options, address(scheme, port));
            client.answer();
            return new ConnectionPair(server, client);
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static String address(String scheme, int port) {
        return URI.create(scheme + "://" + HOST + ":" + port).toString();
    }

    /**
     * Opens more connections.
     *
     * @return the connections opened per second
     */
    public double open(int number) throws IOException, InterruptedException {
        return number * 1e9 / Long.parseLong(client.ask("open " + number));
    }

    /** Closes all connections. */
    public void closeConnections() throws IOException, InterruptedException {
        client.ask("close");
    }

    /** Starts calls on one connection. The server holds them. */
    public void hold(int calls) throws IOException, InterruptedException {
        client.ask("hold " + calls);
    }

    /** Lets the server answer the held calls, and later ones at once. */
    public void release() throws IOException, InterruptedException {
        server.ask("release");
        client.ask("await");
    }

    /** The memory of both processes. */
    public Footprint footprint() throws IOException, InterruptedException {
        return Footprint.parse(client.ask("memory")).plus(Footprint.parse(server.ask("memory")));
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
