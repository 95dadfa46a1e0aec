// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.message;

import java.nio.ByteBuffer;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.ClientAuth;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;

/**
 * The header of a call message: all fields before the arguments.
 *
 * <p>Encoded and decoded by hand instead of by the generated {@code rpc_msg}: a receiver must answer a call with
 * another RPC version, which the generated decoder rejects, and the arguments follow in the same stream.
 */
public record CallHeader(
        int xid, long program, long version, long procedure, OpaqueAuth credential, OpaqueAuth verifier) {
    /** The RPC version that this runtime supports. */
    public static final long RPC_VERSION = 2;

    /**
     * Appends the header of a call.
     *
     * @throws AuthException if the verifier cannot be created
     */
    public static void encode(XdrEncoder out, int xid, Procedure<?, ?> procedure, ClientAuth.Exchange auth)
            throws AuthException {
        long program = procedure.program().number();
        long version = procedure.program().version();
        long number = procedure.number();
        OpaqueAuth credential = auth.credential();
        encode(out, xid, program, version, number, credential);
        auth.verifier(() -> upToCredential(xid, program, version, number, credential))
                .encode(out);
    }

    private static void encode(
            XdrEncoder out, int xid, long program, long version, long procedure, OpaqueAuth credential) {
        out.writeInt(xid);
        out.writeInt(MessageType.CALL);
        out.writeUnsignedInt(RPC_VERSION);
        out.writeUnsignedInt(program);
        out.writeUnsignedInt(version);
        out.writeUnsignedInt(procedure);
        credential.encode(out);
    }

    private static ByteBuffer upToCredential(
            int xid, long program, long version, long procedure, OpaqueAuth credential) {
        XdrEncoder header = XdrEncoder.onHeap();
        encode(header, xid, program, version, procedure, credential);
        return header.finish().stream();
    }

    /** Returns the RPC version of a call message without consuming any bytes. The xid and the message type before it are the same in all versions. */
    public static long versionAhead(XdrDecoder in) throws XdrException {
        return Integer.toUnsignedLong(in.peekInt(2 * Integer.BYTES));
    }

    /** Reads a header of version {@link #RPC_VERSION}. */
    public static CallHeader decode(XdrDecoder in) throws XdrException {
        int xid = in.readInt();
        int type = in.readInt();
        if (type != MessageType.CALL) {
            throw in.malformed("the message type is " + type + ", not CALL");
        }
        long rpcVersion = in.readUnsignedInt();
        if (rpcVersion != RPC_VERSION) {
            throw in.malformed("the RPC version is " + rpcVersion + ", not " + RPC_VERSION);
        }
        return new CallHeader(
                xid,
                in.readUnsignedInt(),
                in.readUnsignedInt(),
                in.readUnsignedInt(),
                OpaqueAuth.decode(in),
                OpaqueAuth.decode(in));
    }

    /** Returns the bytes from the xid to the end of the credential, which a verifier covers. */
    public ByteBuffer upToCredential() {
        return upToCredential(xid, program, version, procedure, credential);
    }
}
