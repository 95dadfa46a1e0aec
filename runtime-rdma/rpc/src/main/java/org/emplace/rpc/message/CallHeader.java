// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.message;

import org.emplace.rpc.Credential;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;

/**
 * A call message up to the procedure's arguments.
 *
 * <p>Coded by hand, not by the generated {@code rpc_msg}: a receiver has to answer another RPC version and unknown flavours of
 * authentication, which a strict decoder of the whole type refuses, and the arguments follow in the same stream.
 *
 * @param rpcVersion 2; what follows it is meaningless in other versions and 0 here
 */
public record CallHeader(
        int xid, long rpcVersion, long program, long version, long procedure, Credential.Other rawCredential) {
    /** The RPC version of this runtime. */
    public static final long RPC_VERSION = 2;

    /** Appends the header of a call. */
    public static void encode(
            XdrEncoder out, int xid, long program, long version, long procedure, Credential credential) {
        out.writeInt(xid);
        out.writeInt(MessageType.CALL);
        out.writeUnsignedInt(RPC_VERSION);
        out.writeUnsignedInt(program);
        out.writeUnsignedInt(version);
        out.writeUnsignedInt(procedure);
        Authentication.encode(out, credential);
        Authentication.encodeNone(out);
    }

    /** Reads a header; with another RPC version than ours only up to the version. */
    public static CallHeader decode(XdrDecoder in) throws XdrException {
        int xid = in.readInt();
        int type = in.readInt();
        if (type != MessageType.CALL) {
            throw in.malformed("the message type is " + type + ", not CALL");
        }
        long rpcVersion = in.readUnsignedInt();
        if (rpcVersion != RPC_VERSION) {
            return new CallHeader(xid, rpcVersion, 0, 0, 0, Authentication.RAW_NONE);
        }
        CallHeader header = new CallHeader(
                xid,
                rpcVersion,
                in.readUnsignedInt(),
                in.readUnsignedInt(),
                in.readUnsignedInt(),
                Authentication.decode(in));
        Authentication.skipVerifier(in);
        return header;
    }

    /**
     * Who calls.
     *
     * @throws XdrException if the credential's body is not what its flavour says: AUTH_BADCRED
     */
    public Credential credential() throws XdrException {
        return Authentication.interpret(rawCredential);
    }
}
