// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.emplace.benchmarks.load.Connection;

/** A client's connections of one kind. Used by one thread. */
final class ClientConnections implements AutoCloseable {
    /** The number of connections in set-up at a time. */
    private static final int AT_A_TIME = 8;

    private final Callable<Connection> connect;
    private final List<Connection> open = new ArrayList<>();
    private final List<CompletionStage<?>> held = new ArrayList<>();

    /** Starts without connections. */
    ClientConnections(Callable<Connection> connect) {
        this.connect = connect;
    }

    /**
     * Opens more connections and makes a first NULL call over each, because some kinds connect only then.
     *
     * @return the duration in nanoseconds
     */
    long open(int number) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            Callable<Connection> one = this::connectAndCall;
            long start = System.nanoTime();
            for (Future<Connection> done : threads.invokeAll(Collections.nCopies(number, one))) {
                open.add(done.get());
            }
            return System.nanoTime() - start;
        } finally {
            threads.shutdown();
        }
    }

    private Connection connectAndCall() throws Exception {
        Connection connection = connect.call();
        connection.callNull();
        return connection;
    }

    /** Starts calls on the connection that was opened first. The server holds them. */
    void hold(int calls) {
        Connection first = open.get(0);
        for (int i = 0; i < calls; i++) {
            held.add(first.callHeld());
        }
    }

    /** Waits until the server has answered the held calls. */
    void awaitHeld() throws Exception {
        for (CompletionStage<?> call : held) {
            call.toCompletableFuture().get();
        }
        held.clear();
    }

    /** Closes all connections. More can be opened later. */
    @Override
    public void close() {
        open.forEach(Connection::close);
        open.clear();
    }
}
