// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * One version of a program with the code that answers its procedures: what generated servers give to an {@link RpcServer} or to
 * {@link RpcConnection#serve}.
 *
 * @param name the program's name in messages
 * @param program program number
 * @param version version number
 * @param handlers by procedure number
 */
public record RpcService(String name, long program, long version, Map<Long, Handler<?, ?>> handlers) {

    /** Copies the map. */
    public RpcService {
        handlers = Map.copyOf(new TreeMap<>(handlers));
    }

    /** A procedure and the code that answers it. */
    public record Handler<A, R>(Procedure<A, R> procedure, Body<A, R> body) {}

    /** Answers one call. */
    @FunctionalInterface
    public interface Body<A, R> {
        /**
         * Called on the server's executor.
         *
         * @return completes with the results; a failure, like a throw, is answered with SYSTEM_ERR and logged
         */
        CompletionStage<R> answer(A arguments, ServerCall call) throws Exception;
    }
}
