// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.nio.ByteBuffer;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.security.auth.Subject;
import javax.security.auth.login.LoginException;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.CallOptions.Recovery;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.auth.ClientAuth;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.gss.wire.RpcGssInitArg;
import org.emplace.rpc.auth.gss.wire.RpcGssInitRes;
import org.emplace.rpc.auth.gss.wire.RpcGssProcT;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrOpaque;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;

/** Establishes contexts with a server (RFC 2203 section 5.2). Blocks, and asks the key distribution center for tickets. */
record ContextCreation(RpcClient client, String server, GssCredentials credentials) {
    /** Kerberos needs one exchange. No mechanism needs many. */
    private static final int MOST_EXCHANGES = 8;

    /** Completes a future with a new context for the calls of a program. */
    void complete(RpcProgram program, CompletableFuture<ClientContext> context) {
        try {
            Subject subject = credentials.subject();
            PrivilegedExceptionAction<ClientContext> create = () -> establishWithRetry(program);
            context.complete(Subject.doAs(subject, create));
        } catch (LoginException none) {
            context.completeExceptionally(new RpcException(
                    Kind.AUTHENTICATION,
                    "no Kerberos credentials: "
                            + KerberosError.in(none)
                                    .map(error -> error.advice(server))
                                    .orElse(
                                            "there is no ticket, or it has expired; run kinit, or name a keytab with a key for the principal ("
                                                    + String.valueOf(none.getMessage())
                                                            .strip() + ")"),
                    none));
        } catch (PrivilegedActionException failed) {
            context.completeExceptionally(explained(failed.getException()));
        } catch (RuntimeException | Error broken) {
            context.completeExceptionally(broken);
        }
    }

    private Throwable explained(Exception failure) {
        return failure instanceof GSSException refused
                ? new RpcException(
                        Kind.AUTHENTICATION,
                        "no ticket for " + server + ": "
                                + KerberosError.in(refused)
                                        .map(error -> error.advice(server))
                                        .orElse(refused.getMessage()
                                                + "; the ticket may have expired (klist, kinit), or the realm may not know the server by this"
                                                + " name"),
                        refused)
                : failure;
    }

    /** A server takes a token once, so one that was lost with its connection is not sent again: another context is begun. */
    private ClientContext establishWithRetry(RpcProgram program)
            throws GSSException, RpcException, InterruptedException {
        try {
            return establish(program);
        } catch (RpcException lost) {
            if (lost.kind() != Kind.DISCONNECTED) {
                throw lost;
            }
            return establish(program);
        }
    }

    private ClientContext establish(RpcProgram program) throws GSSException, RpcException, InterruptedException {
        SecurityContext security = new SecurityContext(newContext());
        byte[] token = security.initiate(new byte[0]);
        XdrOpaque handle = XdrOpaque.EMPTY;
        for (int exchange = 0; exchange < MOST_EXCHANGES; exchange++) {
            Message message = new Message(handle);
            RpcGssInitRes result = send(program, message, token);
            if (result.gssMajor() != GssStatus.COMPLETE && result.gssMajor() != GssStatus.CONTINUE_NEEDED) {
                throw refused(KerberosError.ofMinor(result.gssMinor())
                        .map(error -> error.advice(server))
                        .orElse(GssStatus.describe(result.gssMajor()) + " (minor status " + result.gssMinor() + ")"));
            }
            handle = result.handle();
            token = result.gssToken().length() == 0
                    ? token
                    : security.initiate(result.gssToken().bytes());
            if (result.gssMajor() == GssStatus.COMPLETE) {
                if (!security.isEstablished()
                        || !security.isVerifierOf(message.reply, SecurityContext.bytesOf(result.seqWindow()))) {
                    throw refused("its reply is not genuine");
                }
                return new ClientContext(security, handle, new ClientWindow(result.seqWindow()));
            }
        }
        throw refused("it does not come to an end");
    }

    private GSSContext newContext() throws GSSException {
        GSSManager manager = GSSManager.getInstance();
        GSSName name = manager.createName(server, GSSName.NT_HOSTBASED_SERVICE);
        GSSContext context = manager.createContext(name, SecurityContext.KERBEROS, null, GSSContext.DEFAULT_LIFETIME);
        context.requestMutualAuth(true);
        context.requestInteg(true);
        context.requestConf(true);
        // Calls may overtake each other; RPCSEC_GSS has sequence numbers of its own (RFC 2203 section 5.2.2).
        context.requestReplayDet(false);
        context.requestSequenceDet(false);
        return context;
    }

    private RpcGssInitRes send(RpcProgram program, Message message, byte[] token)
            throws RpcException, InterruptedException {
        Procedure<RpcGssInitArg, RpcGssInitRes> create = Procedure.of(
                program,
                0,
                "RPCSEC_GSS_INIT",
                XdrCodec.of(RpcGssInitArg::decode),
                XdrCodec.of(RpcGssInitRes::decode),
                ProcedureBinding.idempotent(argument -> ProcedureBinding.UNBOUNDED));
        return client.call(
                        create,
                        new RpcGssInitArg(XdrOpaque.of(token)),
                        Destinations.none(),
                        CallOptions.DEFAULT.withAuth(message).withRecovery(Recovery.NEVER))
                .await();
    }

    private RpcException refused(String why) {
        return new RpcException(
                Kind.AUTHENTICATION, "the server refuses a security context with " + server + ": " + why);
    }

    /** A message that creates a context, or goes on creating it. Its reply's verifier is checked when the context is there. */
    private static final class Message implements ClientAuth, ClientAuth.Exchange {
        private final XdrOpaque handle;
        private OpaqueAuth reply = OpaqueAuth.NONE;

        Message(XdrOpaque handle) {
            this.handle = handle;
        }

        @Override
        public Exchange newExchange() {
            return this;
        }

        @Override
        public OpaqueAuth credential() {
            RpcGssProcT purpose =
                    handle.length() == 0 ? RpcGssProcT.RPCSEC_GSS_INIT : RpcGssProcT.RPCSEC_GSS_CONTINUE_INIT;
            return SecuredMessage.credential(purpose, 0, GssService.NONE, handle);
        }

        @Override
        public OpaqueAuth verifier(Supplier<ByteBuffer> header) {
            return OpaqueAuth.NONE;
        }

        @Override
        public int replyVerifierBound() {
            return OpaqueAuth.MAX_BODY;
        }

        @Override
        public void check(OpaqueAuth verifier) {
            reply = verifier;
        }
    }
}
