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
 * One version of a program with the code that answers its procedures. Generated servers make it for {@link org.emplace.RpcServer} and
 * {@link RpcConnection#serve}.
 *
 * @param program the program's version
 * @param handlers by procedure number; procedure 0 needs none, because it does nothing (RFC 5531 section 12.1): the runtime answers it, even while all
 *     threads are busy. A handler for it runs like any other, and clients that get no answer from it in time give the connection up
 * @param flavors authentication flavors that it accepts; see {@link #authenticatedBy}
 */
public record RpcService(RpcProgram program, Map<Long, Handler<?, ?>> handlers, List<ServerAuth> flavors) {

    /** The default flavors of a service: AUTH_NONE and AUTH_SYS. */
    public static final List<ServerAuth> USUAL_FLAVORS = List.of(AuthNone.INSTANCE, AuthSys.SERVER);

    /** Copies map and list. */
    public RpcService {
        handlers = Map.copyOf(new TreeMap<>(handlers));
        flavors = List.copyOf(flavors);
    }

    /** A service that accepts AUTH_NONE and AUTH_SYS. */
    public RpcService(RpcProgram program, Map<Long, Handler<?, ?>> handlers) {
        this(program, handlers, USUAL_FLAVORS);
    }

    /** Begins a service without procedures. */
    public static Builder builder(RpcProgram program) {
        return new Builder(program);
    }

    /**
     * This service with procedures that are answered at once, on the thread that receives calls, which saves each of their calls two
     * changes of thread. That thread serves other connections too, so their code must not block: it must not take locks that are held for
     * long, use files, or wait for calls of its own. Code that takes longer than some microseconds delays the others.
     *
     * @throws IllegalArgumentException if one of them is not of this service, or has arguments that may come as Read chunks, because
     *     fetching those means waiting
     */
    public RpcService answeringAtOnce(Procedure<?, ?>... procedures) {
        return with(Handler::answeringAtOnce, procedures);
    }

    /**
     * This service with these authentication flavors instead of the former ones. The server refuses calls of other flavors before any other work: with
     * AUTH_TOOWEAK if they use AUTH_NONE or AUTH_SYS and the service requires more, else with AUTH_REJECTEDCRED. It always answers a procedure 0 without
     * a handler, even with AUTH_NONE.
     */
    public RpcService authenticatedBy(ServerAuth... taken) {
        return new RpcService(program, handlers, List.of(taken));
    }

    /**
     * This service with procedures whose code fetches the payloads of its arguments itself: by {@link
     * org.emplace.xdr.Payload#fetchInto} into memory of its own, from the peer's memory without a copy. For other procedures the payloads are
     * fetched before a thread is taken, if their lengths are known from the message.
     *
     * @throws IllegalArgumentException if one of them is not of this service
     */
    public RpcService fetching(Procedure<?, ?>... procedures) {
        return with(Handler::fetching, procedures);
    }

    private RpcService with(UnaryOperator<Handler<?, ?>> change, Procedure<?, ?>... procedures) {
        Map<Long, Handler<?, ?>> changed = new TreeMap<>(handlers);
        for (Procedure<?, ?> procedure : procedures) {
            Handler<?, ?> handler = changed.get(procedure.number());
            if (handler == null || !handler.procedure().equals(procedure)) {
                throw new IllegalArgumentException(program + " does not answer " + procedure);
            }
            changed.put(procedure.number(), change.apply(handler));
        }
        return new RpcService(program, changed, flavors);
    }

    /**
     * A procedure and the code that answers it.
     *
     * @param atOnce whether it is answered on the thread that receives the call; see {@link #answeringAtOnce}
     * @param fetches whether the code fetches the payloads of its arguments itself; see {@link #fetching}
     */
    public record Handler<A, R>(Procedure<A, R> procedure, Body<A, R> body, boolean atOnce, boolean fetches) {

        /** Checks that a procedure that is answered at once has no arguments to fetch. */
        public Handler {
            if (atOnce && procedure.binding().argumentsEligible()) {
                throw new IllegalArgumentException(
                        procedure + " cannot be answered at once: its arguments may have to be fetched");
            }
        }

        /** A procedure that is answered on the server's executor. */
        public Handler(Procedure<A, R> procedure, Body<A, R> body) {
            this(procedure, body, false, false);
        }

        private Handler<A, R> answeringAtOnce() {
            return new Handler<>(procedure, body, true, fetches);
        }

        private Handler<A, R> fetching() {
            return new Handler<>(procedure, body, atOnce, true);
        }
    }

    /** Answers one call. */
    @FunctionalInterface
    public interface Body<A, R> {
        /**
         * Called on the server's executor, unless the procedure is {@linkplain RpcService#answeringAtOnce answered at once}.
         *
         * @return completes with the results; a failure or a throw is answered with SYSTEM_ERR and logged, except a {@link
         *     ProcedureUnavailableException}
         */
        CompletionStage<R> answer(A arguments, ServerCall call) throws Exception;
    }

    /** Answers one call at once: when it returns, the results are there. */
    @FunctionalInterface
    public interface DirectBody<A, R> {
        /** As {@link Body#answer}; a throw has the effect of a failed stage. */
        R answer(A arguments, ServerCall call) throws Exception;
    }

    /** Collects the handlers of a service. */
    public static final class Builder {
        private final RpcProgram program;
        private final Map<Long, Handler<?, ?>> handlers = new TreeMap<>();

        private Builder(RpcProgram program) {
            this.program = program;
        }

        /** Has a procedure answered at once. */
        public <A, R> Builder answer(Procedure<A, R> procedure, DirectBody<A, R> body) {
            return answerLater(
                    procedure, (arguments, call) -> CompletableFuture.completedFuture(body.answer(arguments, call)));
        }

        /** Has a procedure answered when a stage completes. */
        public <A, R> Builder answerLater(Procedure<A, R> procedure, Body<A, R> body) {
            handlers.put(procedure.number(), new Handler<>(procedure, body));
            return this;
        }

        /** The service. */
        public RpcService build() {
            return new RpcService(program, handlers);
        }
    }
}
