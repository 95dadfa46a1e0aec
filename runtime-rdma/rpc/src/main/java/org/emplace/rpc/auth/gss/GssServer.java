// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.Principal;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.security.auth.Subject;
import javax.security.auth.login.LoginException;
import org.emplace.reactor.LogSampler;
import org.emplace.reactor.Peer;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.DiscardedCallException;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.ServerAuth;
import org.emplace.rpc.auth.gss.wire.Constants;
import org.emplace.rpc.auth.gss.wire.RpcGssInitArg;
import org.emplace.rpc.auth.gss.wire.RpcGssInitRes;
import org.emplace.rpc.auth.gss.wire.RpcGssProcT;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrValue;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.jspecify.annotations.Nullable;

/**
 * RPCSEC_GSS version 1 with Kerberos 5 at the server (RFC 2203). Pass it to {@link org.emplace.rpc.RpcService#withFlavors}; several services may share it,
 * with its contexts. Handlers find a {@link GssCaller}. Safe for use by several threads.
 *
 * <p>A call whose sequence number was seen before, or is too old, is not answered, and its connection is closed, so that no credit is lost: its
 * client sends the calls of that connection again (RFC 2203 section 5.3.3.1). The server keeps a limited number of contexts and of their bytes, and for
 * each address at most a fraction of both; then the one that has not been used longest is forgotten, and its client makes another. So is one that was
 * not used for an hour.
 */
public final class GssServer implements ServerAuth {
    private static final System.Logger LOG = System.getLogger(GssServer.class.getName());

    /** The longest token of a context's creation. One of Kerberos has some kilobytes; with the groups of a Windows domain, up to 64 KiB. */
    private static final int LONGEST_TOKEN = 96 * 1024;

    private static final int MOST_CONTEXTS = 8192;

    private final Subject subject;
    private final Set<GssService> services;
    private final ServerContexts contexts;
    private final LogSampler refusals = new LogSampler();

    /**
     * Creates a flavor that keeps at most 8,192 contexts, with 64 MiB.
     *
     * @param credentials the keys by which clients are accepted, such as {@link GssCredentials#acceptor}; asked for them by this constructor only
     * @param services what calls may use; with others they are refused with AUTH_TOOWEAK
     * @throws LoginException if there are no keys
     */
    public GssServer(GssCredentials credentials, Set<GssService> services) throws LoginException {
        this(credentials, services, MOST_CONTEXTS);
    }

    /**
     * Like {@link #GssServer(GssCredentials, Set)}.
     *
     * @param contexts the most contexts to keep; an address may have an eighth of them. All together have at most 8 KiB for each
     * @throws IllegalArgumentException if the number is not positive
     */
    public GssServer(GssCredentials credentials, Set<GssService> services, int contexts) throws LoginException {
        if (contexts <= 0) {
            throw new IllegalArgumentException("the number of security contexts must be positive: " + contexts);
        }
        this.subject = credentials.subject();
        this.services = Set.copyOf(services);
        this.contexts = new ServerContexts(contexts, System::nanoTime);
    }

    @Override
    public int flavor() {
        return SecurityContext.FLAVOR;
    }

    /** The number of contexts that clients have. */
    public int contexts() {
        return contexts.size();
    }

    @Override
    public Exchange accept(OpaqueAuth credential, OpaqueAuth verifier, Supplier<ByteBuffer> header)
            throws AuthException, DiscardedCallException {
        Credential fields = Credential.decode(credential);
        ByteBuffer bytes = header.get();
        if (fields.purpose != RpcGssProcT.RPCSEC_GSS_DATA) {
            requireNull(bytes);
        }
        if (fields.purpose == RpcGssProcT.RPCSEC_GSS_INIT) {
            return new Creation(null);
        }
        ServerContexts.Entry context = contexts.find(fields.handle);
        if (context == null) {
            throw new AuthException(AuthException.CREDENTIAL_PROBLEM, "no such security context");
        }
        if (fields.purpose == RpcGssProcT.RPCSEC_GSS_CONTINUE_INIT) {
            return new Creation(context);
        }
        if (!context.security().isUsable()) {
            throw new AuthException(
                    AuthException.CREDENTIAL_PROBLEM, "the security context is incomplete or has expired");
        }
        if (!context.security().isVerifierOf(verifier, bytes)) {
            throw new AuthException(AuthException.CREDENTIAL_PROBLEM, "the checksum of the header is not valid");
        }
        if (fields.sequence >= SecurityContext.MAXSEQ) {
            throw new AuthException(AuthException.CONTEXT_PROBLEM, "the sequence numbers are exhausted");
        }
        if (fields.purpose == RpcGssProcT.RPCSEC_GSS_DESTROY) {
            context.requireNew(fields.sequence);
            // The reply to this call has the context's verifier still, and calls that are being performed have theirs.
            contexts.remove(context);
            return new Data(context, GssService.NONE, fields.sequence);
        }
        GssService service = fields.service();
        if (!services.contains(service)
                || (service == GssService.PRIVACY && !context.security().encrypts())) {
            throw new AuthException(AuthException.TOO_WEAK, "calls with the service " + service + " are not accepted");
        }
        context.requireNew(fields.sequence);
        return new Data(context, service, fields.sequence);
    }

    /** What a credential has (RFC 2203 section 5). The service means nothing, and may be any number, unless the call is one of the program. */
    private record Credential(RpcGssProcT purpose, long sequence, int number, XdrOpaque handle) {
        static Credential decode(OpaqueAuth credential) throws AuthException {
            try {
                XdrDecoder body = new XdrDecoder(credential.body().asReadOnlyBuffer());
                if (body.readUnsignedInt() != Constants.RPCSEC_GSS_VERS_1) {
                    throw body.malformed("another version than 1");
                }
                Credential decoded = new Credential(
                        RpcGssProcT.decode(body),
                        body.readUnsignedInt(),
                        body.readInt(),
                        body.readOpaque(OpaqueAuth.MAX_BODY));
                body.requireEnd();
                return decoded;
            } catch (XdrException malformed) {
                throw new AuthException(AuthException.BAD_CREDENTIAL, String.valueOf(malformed.getMessage()));
            }
        }

        GssService service() throws AuthException {
            for (GssService each : GssService.values()) {
                if (each.wire().value() == number) {
                    return each;
                }
            }
            throw new AuthException(AuthException.BAD_CREDENTIAL, "there is no service " + number);
        }
    }

    /** Contexts are made and destroyed by calls of procedure 0 (RFC 2203 sections 5.2 and 5.4). */
    private static void requireNull(ByteBuffer header) throws AuthException {
        if (header.getInt(5 * Integer.BYTES) != 0) {
            throw new AuthException(AuthException.BAD_CREDENTIAL, "a context is created by procedure 0 only");
        }
    }

    /** A call of the program. */
    private static final class Data implements Exchange {
        private final ServerContexts.Entry context;
        private final GssService service;
        private final long sequence;

        Data(ServerContexts.Entry context, GssService service, long sequence) {
            this.context = context;
            this.service = service;
            this.sequence = sequence;
        }

        @Override
        public Principal caller() {
            return new GssCaller(context.security().initiator(), service);
        }

        @Override
        public OpaqueAuth replyVerifier() {
            return context.security().verifierOf(SecurityContext.bytesOf(sequence));
        }

        @Override
        public boolean protectsBodies() {
            return service != GssService.NONE;
        }

        @Override
        public ByteBuffer unprotect(XdrDecoder body) throws XdrException {
            return context.security().unprotect(service, sequence, body);
        }

        @Override
        public void protect(EncodedMessage body, XdrEncoder out) {
            context.security().protect(service, sequence, body, out);
        }
    }

    /** A call that creates a context, or goes on creating it. */
    private final class Creation implements Exchange, OwnCall {
        private final ServerContexts.@Nullable Entry begun;
        /** Null until the context is established. */
        private @Nullable SecurityContext established;

        /** @param begun the context that is incomplete; null for a new one */
        Creation(ServerContexts.@Nullable Entry begun) {
            this.begun = begun;
        }

        @Override
        public Principal caller() {
            return new GssCaller("", GssService.NONE);
        }

        @Override
        public OwnCall ownCall() {
            return this;
        }

        /** The checksum of the window's size, once the context is established (RFC 2203 section 5.2.3.1). */
        @Override
        public OpaqueAuth replyVerifier() {
            return established == null
                    ? OpaqueAuth.NONE
                    : established.verifierOf(SecurityContext.bytesOf(SequenceWindow.SIZE));
        }

        @Override
        public XdrValue answer(XdrDecoder arguments, InetAddress peer) throws XdrException {
            byte[] token = RpcGssInitArg.decode(arguments).gssToken().bytes();
            arguments.requireEnd();
            try {
                if (token.length > LONGEST_TOKEN) {
                    throw new GSSException(GSSException.DEFECTIVE_TOKEN);
                }
                SecurityContext security = begun == null ? newContext() : begun.security();
                XdrOpaque answer = XdrOpaque.of(security.accept(token));
                ServerContexts.Entry context =
                        begun == null ? contexts.add(security, Peer.of(peer), token.length) : begun;
                established = security.isEstablished() ? security : null;
                long status = established == null ? GssStatus.CONTINUE_NEEDED : GssStatus.COMPLETE;
                return new RpcGssInitRes(context.handle(), status, 0, SequenceWindow.SIZE, answer);
            } catch (GSSException refused) {
                return refusal(refused, peer);
            } catch (RuntimeException malformed) {
                // The JDK does not check all of a token.
                return refusal(GssStatus.FAILURE, 0);
            }
        }
    }

    /** The JDK has no minor status. The mistake may be at either end, so both are told what is wrong. */
    private RpcGssInitRes refusal(GSSException refused, InetAddress peer) {
        Optional<KerberosError> error = KerberosError.ofTicket(refused);
        String why =
                error.map(known -> known.advice("this server")).orElseGet(() -> String.valueOf(refused.getMessage()));
        refusals.event(count -> LOG.log(
                Level.WARNING,
                "refused a security context to " + peer.getHostAddress() + ": " + why + "; such refusals so far: "
                        + count));
        return refusal(
                GssStatus.majorOf(refused), error.map(KerberosError::minor).orElse(0L));
    }

    private static RpcGssInitRes refusal(long major, long minor) {
        return new RpcGssInitRes(XdrOpaque.EMPTY, major, minor, 0, XdrOpaque.EMPTY);
    }

    private SecurityContext newContext() throws GSSException {
        PrivilegedExceptionAction<GSSContext> create = () -> {
            GSSManager manager = GSSManager.getInstance();
            return manager.createContext(manager.createCredential(
                    null, GSSCredential.INDEFINITE_LIFETIME, SecurityContext.KERBEROS, GSSCredential.ACCEPT_ONLY));
        };
        try {
            return new SecurityContext(Subject.doAs(subject, create));
        } catch (PrivilegedActionException failed) {
            throw (GSSException) failed.getException();
        }
    }
}
