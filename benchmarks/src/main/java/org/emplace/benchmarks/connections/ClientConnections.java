// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.connections;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.emplace.benchmarks.load.Connection;

/** The connections of a client, all of one kind. Used by one thread. */
final class ClientConnections implements AutoCloseable {
    /** How many are set up at a time. */
    private static final int AT_A_TIME = 8;

    private final Callable<Connection> connect;
    private final List<Connection> open = new ArrayList<>();
    private final List<CompletionStage<?>> held = new ArrayList<>();

    /** None so far. */
    ClientConnections(Callable<Connection> connect) {
        this.connect = connect;
    }

    /**
     * Opens so many more, and has a first NULL answered over each, because some kinds connect no sooner.
     *
     * @return nanoseconds that it took
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

    /** Starts so many calls over the connection that was opened first, which the server holds. */
    void hold(int calls) {
        Connection first = open.get(0);
        for (int i = 0; i < calls; i++) {
            held.add(first.callHeld());
        }
    }

    /** Waits until the server has answered them. */
    void awaitHeld() throws Exception {
        for (CompletionStage<?> call : held) {
            call.toCompletableFuture().get();
        }
        held.clear();
    }

    /** Closes all of them; others may be opened later. */
    @Override
    public void close() {
        open.forEach(Connection::close);
        open.clear();
    }
}
