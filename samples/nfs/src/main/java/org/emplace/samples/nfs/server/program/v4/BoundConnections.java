// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.emplace.rpc.ServerCall;

/** The connections that the state knows, until they close. Safe for use by several threads. */
final class BoundConnections {
    private final Set<ServerCall.Connection> known = ConcurrentHashMap.newKeySet();
    private final Consumer<Object> closed;

    /** @param closed receives the key of each connection that has closed */
    BoundConnections(Consumer<Object> closed) {
        this.closed = closed;
    }

    /** What the state knows a connection by. */
    Object key(ServerCall.Connection connection) {
        if (known.add(connection)) {
            connection.closed().whenComplete((ended, failure) -> {
                known.remove(connection);
                closed.accept(connection);
            });
        }
        return connection;
    }
}
