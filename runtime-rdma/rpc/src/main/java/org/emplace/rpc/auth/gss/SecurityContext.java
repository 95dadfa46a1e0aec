// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.MessageProp;
import org.ietf.jgss.Oid;

/**
 * One end of an established GSS-API context, with what both ends make of it: the verifiers of headers, and the protection of bodies. Safe for use by
 * several threads: once a context is established, the JDK makes each token by itself, and counts them under a lock of its own. The context itself does not detect replays or sequences, since calls may overtake each other; {@link SequenceWindow} does.
 */
final class SecurityContext {
    /** The number of the flavor RPCSEC_GSS (RFC 5531 section 8.2). */
    static final int FLAVOR = 6;

    /** Kerberos 5 (RFC 4121). */
    static final Oid KERBEROS = kerberos();

    /** The last sequence number of a context is below this one (RFC 2203 section 5.3.3.1). */
    static final long MAXSEQ = 0x8000_0000L;

    private static final int QUALITY = 0;

    private final GSSContext gss;
    private volatile String initiator = "";

    SecurityContext(GSSContext gss) {
        this.gss = gss;
    }

    private static Oid kerberos() {
        try {
            return new Oid("1.2.840.113554.1.2.2");
        } catch (GSSException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Goes on establishing it at the server. Returns the answer to the client's token. */
    synchronized byte[] accept(byte[] token) throws GSSException {
        byte[] answer = gss.acceptSecContext(token, 0, token.length);
        initiator = gss.isEstablished() ? gss.getSrcName().toString() : "";
        return answer == null ? new byte[0] : answer;
    }

    /** Goes on establishing it at the client. Returns the next token for the server; empty if there is none. */
    synchronized byte[] initiate(byte[] token) throws GSSException {
        byte[] next = gss.initSecContext(token, 0, token.length);
        return next == null ? new byte[0] : next;
    }

    synchronized boolean isEstablished() {
        return gss.isEstablished();
    }

    /** Whether the mechanism says that it has expired. The JDK's own Kerberos never does. */
    boolean isExpired() {
        return gss.getLifetime() == 0;
    }

    /** Whether it can encrypt: the client may not have asked for that. */
    boolean encrypts() {
        return gss.getConfState();
    }

    /** Whether calls can use it. */
    boolean isUsable() {
        return isEstablished() && !isExpired();
    }

    /** The client's principal, once the server's end is established. */
    String initiator() {
        return initiator;
    }

    /** The verifier with the checksum of some bytes. */
    OpaqueAuth verifierOf(ByteBuffer bytes) {
        try {
            return new OpaqueAuth(FLAVOR, checksum(array(bytes)));
        } catch (GSSException failed) {
            throw new IllegalStateException("no checksum can be made: " + failed.getMessage(), failed);
        }
    }

    /** Whether a verifier has the checksum of some bytes. */
    boolean isVerifierOf(OpaqueAuth verifier, ByteBuffer bytes) {
        try {
            if (verifier.flavor() == FLAVOR) {
                verify(verifier.body(), array(bytes));
                return true;
            }
        } catch (GSSException forged) {
            // The caller says so.
        }
        return false;
    }

    /** The four bytes of a number, whose checksum a reply's verifier has. */
    static ByteBuffer bytesOf(long number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(0, (int) number);
    }

    /**
     * Writes a body with its protection (RFC 2203 sections 5.3.2.2 and 5.3.2.3) into the stream, whose bytes a transport counts.
     *
     * @param service any but {@link GssService#NONE}
     * @throws UncheckedIOException if the body has a payload that cannot be fetched from the peer's memory
     */
    void protect(GssService service, long sequence, EncodedMessage body, XdrEncoder out) {
        byte[] plain = plain(sequence, body);
        out.eligible(false);
        try {
            if (service == GssService.PRIVACY) {
                out.writeOpaque(XdrOpaque.of(wrap(plain)));
            } else {
                out.writeOpaque(XdrOpaque.of(plain));
                out.writeOpaque(checksum(plain));
            }
        } catch (GSSException failed) {
            throw new IllegalStateException("the body cannot be protected: " + failed.getMessage(), failed);
        }
    }

    private byte[] wrap(byte[] plain) throws GSSException {
        MessageProp property = new MessageProp(QUALITY, true);
        byte[] wrapped = gss.wrap(plain, 0, plain.length, property);
        if (!property.getPrivacy()) {
            throw new IllegalStateException("the security context cannot encrypt");
        }
        return wrapped;
    }

    private XdrOpaque checksum(byte[] data) throws GSSException {
        return XdrOpaque.of(gss.getMIC(data, 0, data.length, new MessageProp(QUALITY, false)));
    }

    private static byte[] plain(long sequence, EncodedMessage body) {
        ByteBuffer plain = ByteBuffer.allocate(Math.toIntExact(Integer.BYTES + body.unreducedLength()));
        plain.putInt((int) sequence);
        try {
            body.unreduced().forEach(plain::put);
        } catch (IOException failure) {
            throw new UncheckedIOException("a payload of a protected body could not be fetched", failure);
        }
        return plain.array();
    }

    /**
     * Reads a body and checks its protection.
     *
     * @return the body alone
     * @throws XdrException if the body is malformed, not genuine, or one of another message
     */
    ByteBuffer unprotect(GssService service, long sequence, XdrDecoder in) throws XdrException {
        // Nothing of a protected body may be in a chunk (RFC 8166 section 8.2.2).
        in.eligible(false);
        byte[] data = bytes(in.readPayload(XdrDecoder.UNBOUNDED));
        byte[] plain = data;
        try {
            if (service == GssService.PRIVACY) {
                MessageProp property = new MessageProp(QUALITY, true);
                plain = gss.unwrap(data, 0, data.length, property);
                if (!property.getPrivacy()) {
                    throw in.malformed("the body is not encrypted");
                }
            } else {
                verify(in.readOpaque(OpaqueAuth.MAX_BODY), data);
            }
        } catch (GSSException forged) {
            throw in.malformed("the protection of the body is not valid: " + forged.getMessage());
        }
        in.requireEnd();
        if (plain.length < Integer.BYTES || ByteBuffer.wrap(plain).getInt(0) != (int) sequence) {
            throw in.malformed("the body belongs to another message");
        }
        return ByteBuffer.wrap(plain, Integer.BYTES, plain.length - Integer.BYTES);
    }

    private void verify(XdrOpaque checksum, byte[] data) throws GSSException {
        byte[] bytes = checksum.bytes();
        gss.verifyMIC(bytes, 0, bytes.length, data, 0, data.length, new MessageProp(QUALITY, false));
    }

    private static byte[] bytes(Payload payload) throws XdrException {
        try {
            return array(payload.buffer());
        } catch (IOException unavailable) {
            throw new UncheckedIOException(unavailable);
        }
    }

    /** The bytes of a buffer; its own array if that has no others. */
    @SuppressWarnings("ByteBufferBackingArray") // whether it is the whole array is checked
    private static byte[] array(ByteBuffer bytes) {
        if (bytes.hasArray() && bytes.arrayOffset() == 0 && bytes.remaining() == bytes.array().length) {
            return bytes.array();
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }
}
