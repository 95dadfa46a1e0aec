// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.emplace.rpc.auth.AuthNone;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.rpc.auth.ServerAuth;

/**
 * One version of a program with the handlers of its procedures. The {@code service} method of a generated server
 * interface returns one, for {@link org.emplace.RpcServer.Builder#service} or {@link RpcClient#serve}.
 *
 * @param program the version of the program
 * @param handlers the handlers by procedure number. Procedure 0 needs none, because it does nothing (RFC 5531 section
 *     12.1): the runtime answers it, even if all threads are busy. A handler for it runs like any other; clients close
 *     the connection if its reply is late
 * @param flavors the authentication flavors that the service accepts; see {@link #withFlavors}
 */
public record RpcService(RpcProgram program, Map<Long, Handler<?, ?>> handlers, List<ServerAuth> flavors) {

    /** The flavors that a service accepts by default: AUTH_NONE and AUTH_SYS. */
    public static final List<ServerAuth> DEFAULT_FLAVORS = List.of(AuthNone.INSTANCE, AuthSys.SERVER);

    /** Copies the map and the list. */
    public RpcService {
        handlers = Map.copyOf(new TreeMap<>(handlers));
        flavors = List.copyOf(flavors);
    }

    /** Creates a service that accepts AUTH_NONE and AUTH_SYS. */
    public RpcService(RpcProgram program, Map<Long, Handler<?, ?>> handlers) {
        this(program, handlers, DEFAULT_FLAVORS);
    }

    /** Returns a builder of a service without procedures. */
    public static Builder builder(RpcProgram program) {
        return new Builder(program);
    }

    /**
     * Returns this service with the given procedures handled on the loop: their handlers run on the thread that receives
     * calls, which saves two thread switches for each call. That thread serves other connections too, so these handlers
     * must not block: they must not take locks that are held for long, use files, or wait for calls. A handler that
     * takes longer than some microseconds delays other calls.
     *
     * @throws IllegalArgumentException if the service has no handler for one of the procedures, or if a procedure's
     *     arguments may be in Read chunks, for which the handler would have to wait
     */
    public RpcService handlingOnLoop(Procedure<?, ?>... procedures) {
        return with(Handler::handlingOnLoop, procedures);
    }

    /**
     * Returns this service with the given authentication flavors in place of the current ones. The server rejects calls
     * with other flavors before any other work: with AUTH_TOOWEAK if a call uses AUTH_NONE or AUTH_SYS and the service
     * accepts only stronger flavors, otherwise with AUTH_REJECTEDCRED. A procedure 0 without a handler is always
     * answered, also with AUTH_NONE.
     */
    public RpcService withFlavors(ServerAuth... taken) {
        return new RpcService(program, handlers, List.of(taken));
    }

    /**
     * Returns this service with the given procedures fetching the payloads of their arguments themselves. Their
     * handlers call {@link org.emplace.xdr.Payload#fetchInto} or {@link RegisteredBuffer#fetch}, which read from the
     * peer's memory directly into the handler's. For other procedures, the runtime fetches the payloads before it runs
     * the handler, if the message has their lengths.
     *
     * @throws IllegalArgumentException if the service has no handler for one of the procedures
     */
    public RpcService fetchingByHand(Procedure<?, ?>... procedures) {
        return with(Handler::fetching, procedures);
    }

    private RpcService with(UnaryOperator<Handler<?, ?>> change, Procedure<?, ?>... procedures) {
        Map<Long, Handler<?, ?>> changed = new TreeMap<>(handlers);
        for (Procedure<?, ?> procedure : procedures) {
            Handler<?, ?> handler = changed.get(procedure.number());
            if (handler == null || !handler.procedure().equals(procedure)) {
                throw new IllegalArgumentException(program + " has no handler for " + procedure);
            }
            changed.put(procedure.number(), change.apply(handler));
        }
        return new RpcService(program, changed, flavors);
    }

    /**
     * A procedure and the code that answers it.
     *
     * @param procedure the procedure
     * @param body the code
     * @param atOnce whether the code runs on the thread that receives the call; see {@link #handlingOnLoop}
     * @param fetches whether the code fetches the payloads of its arguments itself; see {@link #fetchingByHand}
     */
    public record Handler<A, R>(Procedure<A, R> procedure, AsyncHandling<A, R> body, boolean atOnce, boolean fetches) {

        /**
         * @throws IllegalArgumentException if the procedure is handled on the loop, but its arguments may be in Read
         *     chunks
         */
        public Handler {
            if (atOnce && procedure.binding().argumentsEligible()) {
                throw new IllegalArgumentException(procedure
                        + " cannot be handled on the loop: its arguments may be in Read chunks, which must be fetched");
            }
        }

        /** Creates a handler that runs on the server's threads and does not fetch its arguments. */
        public Handler(Procedure<A, R> procedure, AsyncHandling<A, R> body) {
            this(procedure, body, false, false);
        }

        private Handler<A, R> handlingOnLoop() {
            return new Handler<>(procedure, body, true, fetches);
        }

        private Handler<A, R> fetching() {
            return new Handler<>(procedure, body, atOnce, true);
        }
    }

    /** Answers one call. */
    @FunctionalInterface
    public interface AsyncHandling<A, R> {
        /**
         * Answers a call. Runs on the server's threads, unless the procedure is {@linkplain RpcService#handlingOnLoop
         * handled on the loop}.
         *
         * @return completes with the results. If it completes exceptionally, or this method throws an exception, the
         *     server logs it and replies with SYSTEM_ERR; for a {@link ProcedureUnavailableException} it replies with
         *     PROC_UNAVAIL
         */
        CompletionStage<R> handle(A arguments, ServerCall call) throws Exception;
    }

    /** Answers one call and returns the results. */
    @FunctionalInterface
    public interface Handling<A, R> {
        /** Answers a call; see {@link AsyncHandling#handle}. */
        R handle(A arguments, ServerCall call) throws Exception;
    }

    /** Collects the handlers of a service. */
    public static final class Builder {
        private final RpcProgram program;
        private final Map<Long, Handler<?, ?>> handlers = new TreeMap<>();

        private Builder(RpcProgram program) {
            this.program = program;
        }

        /** Adds a handler that returns its results. */
        public <A, R> Builder handle(Procedure<A, R> procedure, Handling<A, R> body) {
            return handleAsync(
                    procedure, (arguments, call) -> CompletableFuture.completedFuture(body.handle(arguments, call)));
        }

        /** Adds a handler that returns a stage of its results. */
        public <A, R> Builder handleAsync(Procedure<A, R> procedure, AsyncHandling<A, R> body) {
            handlers.put(procedure.number(), new Handler<>(procedure, body));
            return this;
        }

        /** Returns the service. */
        public RpcService build() {
            return new RpcService(program, handlers);
        }
    }
}
