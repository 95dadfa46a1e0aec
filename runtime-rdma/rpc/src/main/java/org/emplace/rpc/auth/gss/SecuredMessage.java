// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.ClientAuth;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.gss.wire.RpcGssCredT;
import org.emplace.rpc.auth.gss.wire.RpcGssCredVers1T;
import org.emplace.rpc.auth.gss.wire.RpcGssProcT;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;

/**
 * The authentication of one call, each time it is sent: credential, verifiers, and the protection of bodies. A message that is sent again gets a new
 * sequence number (RFC 2203 section 5.3.3.1). Used by one thread at a time.
 */
final class SecuredMessage implements ClientAuth, ClientAuth.Exchange {
    /** More than Kerberos adds to a body by encrypting it, with its encoding. */
    private static final int OVERHEAD = 256;

    private final ClientContext context;
    private final ClientWindow.Place place;
    private final RpcGssProcT purpose;
    private final GssService service;
    private long sequence;

    /** @param place the call's in the context's window; one that is not taken if the window does not hold back the call */
    SecuredMessage(ClientContext context, ClientWindow.Place place, RpcGssProcT purpose, GssService service) {
        this.context = context;
        this.place = place;
        this.purpose = purpose;
        this.service = service;
    }

    /** The credential of a call that has a context, or creates it. */
    static OpaqueAuth credential(RpcGssProcT purpose, long sequence, GssService service, XdrOpaque handle) {
        XdrEncoder body = XdrEncoder.onHeap();
        new RpcGssCredT.RpcsecGssVers1(new RpcGssCredVers1T(purpose, sequence, service.wire(), handle)).encode(body);
        return new OpaqueAuth(SecurityContext.FLAVOR, XdrOpaque.copyOf(body.finish().stream()));
    }

    @Override
    public Exchange newExchange() throws AuthException {
        sequence = context.window().number(place);
        if (sequence >= SecurityContext.MAXSEQ || context.security().isExpired()) {
            throw new AuthException(AuthException.CONTEXT_PROBLEM, "the security context has come to its end");
        }
        return this;
    }

    @Override
    public OpaqueAuth credential() {
        return credential(purpose, sequence, service, context.handle());
    }

    @Override
    public OpaqueAuth verifier(Supplier<ByteBuffer> header) {
        return context.security().verifierOf(header.get());
    }

    @Override
    public int replyVerifierBound() {
        return OpaqueAuth.MAX_BODY;
    }

    @Override
    public void check(OpaqueAuth verifier) throws AuthException {
        if (!context.security().isVerifierOf(verifier, SecurityContext.bytesOf(sequence))) {
            throw new AuthException(AuthException.INVALID_REPLY, "it is not the server's for this call");
        }
    }

    /** The procedure with protected bodies. All of its eligible items are in the bodies, and go through messages. */
    <A, R> Procedure<A, R> protecting(Procedure<A, R> plain) {
        if (service == GssService.NONE) {
            return plain;
        }
        XdrCodec<A> arguments = new XdrCodec<>((out, value) -> write(plain.arguments(), value, out), in -> {
            throw new IllegalStateException("only a server reads arguments");
        });
        XdrCodec<R> results = new XdrCodec<>(
                (out, value) -> {
                    throw new IllegalStateException("only a server writes results");
                },
                in -> read(plain.results(), in));
        return Procedure.of(
                plain.program(), plain.number(), plain.name(), arguments, results, binding(plain.binding()));
    }

    private static <A, R> ProcedureBinding<A, R> binding(ProcedureBinding<A, R> plain) {
        ProcedureBinding<A, R> binding = plain.isIdempotent()
                ? ProcedureBinding.idempotent(arguments -> bound(plain, arguments))
                : ProcedureBinding.nonIdempotent(arguments -> bound(plain, arguments));
        // Long arguments are still not encoded on a thread of the transport.
        return binding.withReadChunks(plain.readChunkLimit()).withWriteChunks(0, plain.results());
    }

    private static <A> long bound(ProcedureBinding<A, ?> plain, A arguments) {
        long bound = plain.replyBound().applyAsLong(arguments);
        return bound == ProcedureBinding.UNBOUNDED ? bound : bound + OVERHEAD;
    }

    private <A> void write(XdrCodec<A> arguments, A value, XdrEncoder out) {
        XdrEncoder body = XdrEncoder.onHeap();
        arguments.writer().write(body, value);
        context.security().protect(service, sequence, body.finish(), out);
    }

    private <R> R read(XdrCodec<R> results, XdrDecoder in) throws XdrException {
        XdrDecoder body = in.within(context.security().unprotect(service, sequence, in));
        R value = results.reader().read(body);
        body.requireEnd();
        return value;
    }
}
