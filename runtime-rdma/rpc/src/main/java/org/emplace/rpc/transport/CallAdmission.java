// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.Principal;
import java.util.Objects;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.RpcService.Handler;
import org.emplace.rpc.ServerObserver.Outcome;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.ServerAuth;
import org.emplace.rpc.message.CallHeader;
import org.emplace.rpc.message.ReplyHeader;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/**
 * Decides by a call's header whether a handler runs it, and answers the calls that none runs. Safe for use by several threads.
 *
 * @param services the services to call
 * @param replies keeps the replies to calls that are not idempotent; null if none are kept
 * @param failures logs flavors and handlers that fail
 */
record CallAdmission(ServiceRegistry services, @Nullable ReplyCache replies, FailureLog failures) {
    private static final Logger LOG = System.getLogger(CallAdmission.class.getName());

    /**
     * Reads a call's header and finds its handler.
     *
     * @param measurement measures how the call is answered
     * @return null if there is none; then the call has been answered
     */
    @Nullable
    ServerExchange admit(IncomingCall call, CallMeasurement measurement) {
        XdrDecoder message = call.message();
        CallHeader header;
        try {
            header = CallHeader.decode(message);
        } catch (XdrException malformed) {
            LOG.log(
                    Level.DEBUG,
                    "refused a call from {0}: {1}",
                    call.connection().remoteAddress(),
                    malformed.getMessage());
            measurement.outcome(Outcome.PROTOCOL_ERROR);
            call.refuseMalformed();
            return null;
        }
        if (header.rpcVersion() != CallHeader.RPC_VERSION) {
            measurement.outcome(Outcome.PROTOCOL_ERROR);
            refuse(call, header.xid(), ReplyHeader.RPC_MISMATCH, failures, measurement);
            return null;
        }
        RpcService service = services.find(header);
        Principal caller;
        OpaqueAuth verifier;
        try {
            ServerAuth.Exchange accepted = ServiceRegistry.authenticate(service, header);
            caller = Objects.requireNonNull(accepted.caller(), "the flavor returned null for the caller");
            verifier = Objects.requireNonNull(accepted.replyVerifier(), "the flavor returned null for a verifier");
        } catch (AuthException refused) {
            LOG.log(
                    Level.DEBUG,
                    "refused a call from {0} with auth_stat {1}: {2}",
                    call.connection().remoteAddress(),
                    refused.status(),
                    refused.getMessage());
            measurement.outcome(Outcome.AUTHENTICATION);
            refuse(call, header.xid(), ReplyHeader.unauthenticated(refused.status()), failures, measurement);
            return null;
        } catch (RuntimeException | Error broken) {
            failures.unauthenticated(call, header.xid(), broken);
            measurement.outcome(Outcome.AUTHENTICATION);
            refuse(call, header.xid(), ReplyHeader.unauthenticated(AuthException.FAILED), failures, measurement);
            return null;
        }
        Handler<?, ?> handler = ServiceRegistry.handler(service, header);
        if (handler == null) {
            ReplyHeader answer = new ReplyHeader.Accepted(verifier, services.refusal(service, header, measurement));
            refuse(call, header.xid(), answer, failures, measurement);
            return null;
        }
        measurement.isFor(handler.procedure());
        return new ServerExchange(
                call, header.xid(), caller, verifier, handler, message, replies, failures, measurement);
    }

    /** Answers a call with an RPC header without results. If there is no memory for it, ends the connection. */
    static void refuse(
            IncomingCall call, int xid, ReplyHeader header, FailureLog failures, CallMeasurement measurement) {
        EncodedMessage encoded;
        try {
            XdrEncoder reply = call.newReply();
            header.encode(reply, xid);
            encoded = reply.finish();
        } catch (UncheckedIOException exhausted) {
            measurement.outcome(Outcome.DROPPED);
            abandon(call, xid, exhausted, failures);
            return;
        }
        measurement.replies(encoded.unreducedLength());
        call.reply(encoded);
    }

    /** Ends the connection because no reply can be sent, so that the caller does not wait for one. */
    private static void abandon(IncomingCall call, int xid, UncheckedIOException exhausted, FailureLog failures) {
        failures.unanswerable(call, xid, exhausted);
        call.drop();
        call.connection().close();
    }
}
