// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.emplace.rpc.RpcConnection;

/** The connections of one listener that have not ended. Safe for use by several threads. */
public final class OpenConnections {
    /** Longer than the orderly close of a connection takes. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final Set<RpcConnection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Creates an empty set. */
    public OpenConnections() {}

    /**
     * Adds a connection, which is removed when it has ended. After {@link #close}, the connection is closed at once.
     */
    public void add(RpcConnection connection) {
        open.add(connection);
        connection.closed().whenComplete((ended, failure) -> open.remove(connection));
        if (closed) {
            connection.close();
        }
    }

    /**
     * Closes the connections, and waits for at most two seconds until they have ended, so that the peers get all
     * messages even if the program exits next. Must not be called on threads that serve connections.
     */
    public void close() {
        closed = true;
        CompletableFuture<?>[] ends = open.stream()
                .map(connection -> connection.closed().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        open.forEach(RpcConnection::close);
        try {
            CompletableFuture.allOf(ends).get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException late) {
            System.getLogger(OpenConnections.class.getName())
                    .log(Level.DEBUG, "not all connections were closed in an orderly way: {0}", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
