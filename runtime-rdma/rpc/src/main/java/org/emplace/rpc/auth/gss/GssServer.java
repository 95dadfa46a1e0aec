// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.Principal;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Set;
import java.util.function.Supplier;
import javax.security.auth.Subject;
import javax.security.auth.login.LoginException;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.DiscardedCallException;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.ServerAuth;
import org.emplace.rpc.auth.gss.wire.RpcGssCredT;
import org.emplace.rpc.auth.gss.wire.RpcGssCredVers1T;
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
 * client sends the calls of that connection again (RFC 2203 section 5.3.3.1). The server keeps a limited number of contexts, and for each address
 * at most a fraction of them; then the one that has not been used longest is forgotten, and its client makes another.
 */
public final class GssServer implements ServerAuth {
    /** The longest token of a context's creation. One of Kerberos has some kilobytes; with the groups of a Windows domain, up to 64 KiB. */
    private static final int LONGEST_TOKEN = 96 * 1024;

    private static final int MOST_CONTEXTS = 8192;

    private final Subject subject;
    private final Set<GssService> services;
    private final ServerContexts contexts;

    /**
     * Keeps at most 8,192 contexts, with some kilobytes each.
     *
     * @param credentials the keys by which clients are accepted, such as {@link GssCredentials#acceptor}; used once
     * @param services what calls may use; with others they are refused with AUTH_TOOWEAK
     * @throws LoginException if there are no keys
     */
    public GssServer(GssCredentials credentials, Set<GssService> services) throws LoginException {
        this(credentials, services, MOST_CONTEXTS);
    }

    /**
     * Like {@link #GssServer(GssCredentials, Set)}.
     *
     * @param contexts the most contexts to keep; an address may have an eighth of them
     * @throws IllegalArgumentException if the number is not positive
     */
    public GssServer(GssCredentials credentials, Set<GssService> services, int contexts) throws LoginException {
        if (contexts <= 0) {
            throw new IllegalArgumentException("the number of security contexts must be positive: " + contexts);
        }
        this.subject = credentials.subject();
        this.services = Set.copyOf(services);
        this.contexts = new ServerContexts(contexts);
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
        RpcGssCredVers1T fields = decode(credential);
        ByteBuffer bytes = header.get();
        if (fields.gssProc() == RpcGssProcT.RPCSEC_GSS_INIT
                || fields.gssProc() == RpcGssProcT.RPCSEC_GSS_CONTINUE_INIT) {
            requireNull(bytes);
            return new Creation(fields.handle());
        }
        ServerContexts.Entry context = contexts.find(fields.handle());
        if (context == null || !context.security().isUsable()) {
            throw new AuthException(AuthException.CREDENTIAL_PROBLEM, "no such security context");
        }
        if (!context.security().isVerifierOf(verifier, bytes)) {
            throw new AuthException(AuthException.CREDENTIAL_PROBLEM, "the checksum of the header is not valid");
        }
        if (fields.seqNum() >= SecurityContext.MAXSEQ) {
            throw new AuthException(AuthException.CONTEXT_PROBLEM, "the sequence numbers are exhausted");
        }
        GssService service = GssService.of(fields.service());
        if (!services.contains(service)) {
            throw new AuthException(AuthException.TOO_WEAK, "calls with the service " + service + " are not accepted");
        }
        context.requireNew(fields.seqNum());
        if (fields.gssProc() == RpcGssProcT.RPCSEC_GSS_DESTROY) {
            requireNull(bytes);
            // The reply to this call has the context's verifier still, and calls that are being performed have theirs.
            contexts.remove(context);
        }
        return new Data(context, service, fields.seqNum());
    }

    private static RpcGssCredVers1T decode(OpaqueAuth credential) throws AuthException {
        try {
            XdrDecoder body = new XdrDecoder(credential.body().asReadOnlyBuffer());
            RpcGssCredT decoded = RpcGssCredT.decode(body);
            body.requireEnd();
            return ((RpcGssCredT.RpcsecGssVers1) decoded).rgcCredV1();
        } catch (XdrException malformed) {
            throw new AuthException(AuthException.BAD_CREDENTIAL, String.valueOf(malformed.getMessage()));
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
        private final XdrOpaque handle;
        /** Null until the context is established. */
        private @Nullable SecurityContext established;

        Creation(XdrOpaque handle) {
            this.handle = handle;
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
                ServerContexts.Entry begun = handle.length() == 0 ? null : contexts.find(handle);
                SecurityContext security = begun == null ? newContext() : begun.security();
                XdrOpaque answer = XdrOpaque.of(security.accept(token));
                ServerContexts.Entry context = begun == null ? contexts.add(security, peer) : begun;
                established = security.isEstablished() ? security : null;
                long status = established == null ? GssStatus.CONTINUE_NEEDED : GssStatus.COMPLETE;
                return new RpcGssInitRes(context.handle(), status, 0, SequenceWindow.SIZE, answer);
            } catch (GSSException refused) {
                return new RpcGssInitRes(
                        XdrOpaque.EMPTY,
                        GssStatus.majorOf(refused),
                        Integer.toUnsignedLong(refused.getMinor()),
                        0,
                        XdrOpaque.EMPTY);
            }
        }
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
