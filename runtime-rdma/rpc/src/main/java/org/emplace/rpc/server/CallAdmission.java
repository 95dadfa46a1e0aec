// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.server;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.emplace.reactor.LogSampler;
import org.emplace.rpc.MemoryExhaustedException;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.RpcService.Handler;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.ServerObserver.Outcome;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.AuthNone;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.rpc.auth.DiscardedCallException;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.ServerAuth;
import org.emplace.rpc.message.MessageHeader.CallHeader;
import org.emplace.rpc.message.MessageHeader.ReplyHeader;
import org.emplace.rpc.wire.AcceptStat;
import org.emplace.rpc.wire.AcceptedReplyData;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrValue;
import org.jspecify.annotations.Nullable;

/**
 * Holds the services. Decides by a call's header which handler runs the call, and answers calls that no handler runs.
 * Safe for use by several threads.
 */
final class CallAdmission {
    private static final Logger LOG = System.getLogger(CallAdmission.class.getName());
    private static final AcceptedReplyData PROCEDURE_UNAVAILABLE = ReplyHeader.failed(AcceptStat.PROC_UNAVAIL);

    private final List<RpcService> services = new CopyOnWriteArrayList<>();
    private final @Nullable ReplyCache replies;
    private final FailureLog failures = new FailureLog(System.getLogger(ServiceDispatcher.class.getName()));

    /** @param replies keeps the replies to calls that are not idempotent; null if none are kept */
    CallAdmission(@Nullable ReplyCache replies) {
        this.replies = replies;
    }

    @Nullable
    ReplyCache replies() {
        return replies;
    }

    /** The log of flavors and handlers that fail. */
    FailureLog failures() {
        return failures;
    }

    /**
     * Adds a service.
     *
     * @throws IllegalArgumentException if its version of the program is already served
     */
    synchronized void add(RpcService service) {
        RpcProgram program = service.program();
        if (find(program.number(), program.version()) != null) {
            throw new IllegalArgumentException(
                    "program " + program.number() + " version " + program.version() + " is served already");
        }
        services.add(service);
    }

    /** The largest value of a property of the services' bindings; 0 if there are none. */
    int largest(ToIntFunction<ProcedureBinding<?, ?>> property) {
        return services.stream()
                .flatMap(service -> service.handlers().values().stream())
                .mapToInt(handler -> property.applyAsInt(handler.procedure().binding()))
                .max()
                .orElse(0);
    }

    /**
     * Reads a call's header and finds its handler, or answers the call.
     *
     * @param measurement measures how the call is answered
     * @param found gets the call if there is a handler to run it
     * @return false if the call has been refused
     */
    boolean admit(IncomingCall call, CallMeasurement measurement, Consumer<ServerExchange> found) {
        XdrDecoder message = call.message();
        CallHeader header;
        try {
            if (CallHeader.versionAhead(message) != CallHeader.RPC_VERSION) {
                measurement.outcome(Outcome.PROTOCOL_ERROR);
                refuse(call, message.peekInt(0), ReplyHeader.RPC_MISMATCH, measurement);
                return false;
            }
            header = CallHeader.decode(message);
        } catch (XdrException malformed) {
            LOG.log(
                    Level.DEBUG,
                    "refused a call from {0}: {1}",
                    call.connection().remoteAddress(),
                    malformed.getMessage());
            measurement.outcome(Outcome.PROTOCOL_ERROR);
            call.refuseMalformed();
            return false;
        }
        // Looked up only once, because services may be added meanwhile.
        RpcService service = find(header.program(), header.version());
        ServerAuth.Exchange accepted;
        Principal caller;
        OpaqueAuth verifier;
        try {
            accepted = authenticate(service, header);
            caller = Objects.requireNonNull(accepted.caller(), "the flavor returned null for the caller");
            verifier = Objects.requireNonNull(accepted.replyVerifier(), "the flavor returned null for a verifier");
        } catch (DiscardedCallException replayed) {
            abandon(call, header.xid(), replayed, measurement);
            return false;
        } catch (AuthException refused) {
            LOG.log(
                    Level.DEBUG,
                    "refused a call from {0} with auth_stat {1}: {2}",
                    call.connection().remoteAddress(),
                    refused.status(),
                    refused.getMessage());
            measurement.outcome(Outcome.AUTHENTICATION);
            refuse(call, header.xid(), ReplyHeader.unauthenticated(refused.status()), measurement);
            return false;
        } catch (OutOfMemoryError lack) {
            // No error, which the client would not repeat: it sends the call again over another connection.
            abandon(call, lack, measurement);
            return false;
        } catch (RuntimeException | Error broken) {
            failures.unauthenticated(call, header.xid(), broken);
            measurement.outcome(Outcome.AUTHENTICATION);
            refuse(call, header.xid(), ReplyHeader.unauthenticated(AuthException.FAILED), measurement);
            return false;
        }
        Handler<?, ?> handler = handler(service, header, accepted, call);
        if (handler == null) {
            AcceptedReplyData answer = answerOf(service, header, measurement);
            refuse(call, header.xid(), new ReplyHeader.Accepted(verifier, answer), measurement);
            return answer instanceof AcceptedReplyData.Success;
        }
        measurement.isFor(handler.procedure());
        found.accept(new ServerExchange(
                this, call, header.xid(), caller, accepted, verifier, handler, message, measurement));
        return true;
    }

    /** What answers a call; null if {@link #answerOf} does. */
    private static @Nullable Handler<?, ?> handler(
            @Nullable RpcService service, CallHeader header, ServerAuth.Exchange accepted, IncomingCall call) {
        ServerAuth.OwnCall own = accepted.ownCall();
        if (own != null && service != null) {
            return handler(service.program(), own, call);
        }
        Handler<?, ?> handler = handler(service, header);
        return handler == null && service != null && header.procedure() == 0 && accepted.protectsBodies()
                ? new Handler<>(Procedure.ofNull(service.program()), (nothing, at) -> CompletableFuture.allOf())
                : handler;
    }

    /** A handler for a call that its flavor answers. The codec of the arguments runs the call, so the arguments need no type. */
    private static Handler<?, ?> handler(RpcProgram program, ServerAuth.OwnCall own, IncomingCall call) {
        Procedure<XdrValue, XdrValue> procedure = Procedure.of(
                program,
                0,
                "NULL",
                XdrCodec.of(
                        in -> own.answer(in, call.connection().remoteAddress().getAddress())),
                XdrCodec.of(in -> {
                    throw new IllegalStateException("only a client reads results");
                }),
                ProcedureBinding.idempotent(arguments -> 0));
        return new Handler<>(procedure, (answer, at) -> CompletableFuture.completedFuture(answer), false, true);
    }

    /** Answers a call with an RPC header without results. If there is no memory for it, ends the connection. */
    void refuse(IncomingCall call, int xid, ReplyHeader header, CallMeasurement measurement) {
        EncodedMessage encoded;
        try {
            XdrEncoder reply = call.newReply();
            header.encode(reply, xid);
            encoded = reply.finish();
        } catch (MemoryExhaustedException | Error exhausted) {
            abandon(call, xid, exhausted, measurement);
            return;
        }
        measurement.replies(encoded.unreducedLength());
        call.reply(encoded);
    }

    /** Ends a call that cannot be answered, and its connection, so that the caller does not wait for a reply but sends the call again. */
    void abandon(IncomingCall call, int xid, Throwable lack, CallMeasurement measurement) {
        measurement.outcome(Outcome.DROPPED);
        try {
            failures.unanswerable(call, "call 0x" + Integer.toHexString(xid), lack);
        } finally {
            dropAndClose(call);
        }
    }

    /** As the other method, for a call whose xid is not known. */
    void abandon(IncomingCall call, Throwable lack, CallMeasurement measurement) {
        measurement.outcome(Outcome.DROPPED);
        try {
            failures.unanswerable(call, "a call", lack);
        } finally {
            dropAndClose(call);
        }
    }

    private static void dropAndClose(IncomingCall call) {
        try {
            call.drop();
        } finally {
            call.connection().close();
        }
    }

    /**
     * Lets the flavor of a call's credential check the call.
     *
     * @param service the service that the call is for; null if there is none
     * @throws AuthException if the flavor refuses it, or its service does not accept the flavor
     * @throws DiscardedCallException if it is to have no reply
     */
    private static ServerAuth.Exchange authenticate(@Nullable RpcService service, CallHeader header)
            throws AuthException, DiscardedCallException {
        OpaqueAuth credential = header.credential();
        List<ServerAuth> taken = service == null ? RpcService.DEFAULT_FLAVORS : service.flavors();
        for (int i = 0; i < taken.size(); i++) {
            if (taken.get(i).flavor() == credential.flavor()) {
                return taken.get(i).accept(credential, header.verifier(), header::upToCredential);
            }
        }
        if (credential.flavor() == AuthNone.FLAVOR && header.procedure() == 0 && handler(service, header) == null) {
            return AuthNone.INSTANCE.accept(credential, header.verifier(), header::upToCredential);
        }
        throw new AuthException(
                isTooWeak(credential.flavor(), taken) ? AuthException.TOO_WEAK : AuthException.REJECTED_CREDENTIAL,
                "the program does not accept flavor " + Integer.toUnsignedString(credential.flavor()));
    }

    /** Whether a flavor is weaker than all accepted ones. A client that is told this need not retry. */
    private static boolean isTooWeak(int flavor, List<ServerAuth> taken) {
        return (flavor == AuthNone.FLAVOR || flavor == AuthSys.FLAVOR)
                && taken.stream().allMatch(each -> Integer.compareUnsigned(each.flavor(), flavor) > 0);
    }

    /** The code that answers a call; null if there is none, and {@link #answerOf} gives the answer. */
    private static @Nullable Handler<?, ?> handler(@Nullable RpcService service, CallHeader header) {
        return service == null ? null : service.handlers().get(header.procedure());
    }

    /**
     * The answer to a call that has no handler. Procedure 0 does nothing by convention (RFC 5531 section 12.1), so it needs no handler and no thread. Clients
     * use it to ask whether a server is alive, and a server is alive even if all its threads are busy.
     *
     * @param measurement measures how the call is answered
     */
    private AcceptedReplyData answerOf(@Nullable RpcService service, CallHeader header, CallMeasurement measurement) {
        if (service != null && header.procedure() == 0) {
            if (measurement != CallMeasurement.NONE) {
                measurement.isFor(Procedure.ofNull(service.program()));
            }
            measurement.outcome(Outcome.SUCCESS);
            return ReplyHeader.SUCCESS;
        }
        if (service != null) {
            measurement.outcome(Outcome.PROCEDURE_UNAVAILABLE);
            return PROCEDURE_UNAVAILABLE;
        }
        List<Long> versions = services.stream()
                .map(RpcService::program)
                .filter(other -> other.number() == header.program())
                .map(RpcProgram::version)
                .sorted()
                .toList();
        measurement.outcome(versions.isEmpty() ? Outcome.PROGRAM_UNAVAILABLE : Outcome.PROGRAM_MISMATCH);
        return versions.isEmpty()
                ? ReplyHeader.failed(AcceptStat.PROG_UNAVAIL)
                : ReplyHeader.programMismatch(versions.get(0), versions.get(versions.size() - 1));
    }

    private @Nullable RpcService find(long program, long version) {
        for (int i = 0; i < services.size(); i++) {
            RpcService service = services.get(i);
            if (service.program().number() == program && service.program().version() == version) {
                return service;
            }
        }
        return null;
    }

    /**
     * Logs calls that fail at the server. For each procedure and class of exception, the failures are {@linkplain
     * LogSampler sampled}. A lack of memory, which peers can cause, ends the connection and is logged without a stack trace. Safe for use by several
     * threads.
     */
    static final class FailureLog {
        private final Logger log;
        private final Map<Kind, LogSampler> samplers = new ConcurrentHashMap<>();
        private final LogSampler unanswerable = new LogSampler();
        private final LogSampler unauthenticated = new LogSampler();

        /** Creates a log without failures. */
        FailureLog(Logger log) {
            this.log = log;
        }

        /** Logs that a call failed and is answered with SYSTEM_ERR. */
        void failed(ServerCall call, Procedure<?, ?> procedure, Throwable failure) {
            Kind kind = new Kind(procedure.toString(), failure.getClass());
            samplers.computeIfAbsent(kind, first -> new LogSampler())
                    .event(count -> log.log(
                            Level.WARNING,
                            call + " " + procedure + " failed and was answered with SYSTEM_ERR"
                                    + "; such failures so far: " + count,
                            failure));
        }

        /** Logs that a call cannot be answered, usually for lack of memory or a thread, so that its connection is closed. */
        void unanswerable(IncomingCall call, String which, Throwable lack) {
            unanswerable.event(count -> log.log(
                    Level.WARNING,
                    "cannot answer " + which + " from " + call.connection().remoteAddress()
                            + ", so its connection is closed: " + firstLine(lack) + "; such calls so far: " + count));
        }

        /** Logs that an authentication flavor failed on a call, which is answered with AUTH_FAILED. */
        void unauthenticated(IncomingCall call, int xid, Throwable failure) {
            unauthenticated.event(count -> log.log(
                    Level.WARNING,
                    "the authentication flavor of call 0x" + Integer.toHexString(xid) + " from "
                            + call.connection().remoteAddress()
                            + " failed, and the call was answered with AUTH_FAILED; such calls so far: "
                            + count,
                    failure));
        }

        private static String firstLine(Throwable failure) {
            return failure.toString().lines().findFirst().orElse("");
        }

        private record Kind(String procedure, Class<?> failure) {}
    }
}
