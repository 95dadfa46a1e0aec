// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import org.emplace.compiler.capture.MessageStream.Undecodable;

/** RPC messages up to the arguments or results (RFC 5531 section 9). */
final class RpcMessage {
    static final int CALL = 0;
    static final int REPLY = 1;

    private static final int RPCSEC_GSS = 6;
    private static final int MOST_OF_AUTHENTICATION = 400;

    private RpcMessage() {}

    /** @param isProtected whether RPCSEC_GSS may have wrapped the arguments and the results */
    record Call(int xid, int program, int version, int procedure, boolean isProtected) {

        static Call read(MessageStream in) throws Undecodable {
            int xid = begin(in, CALL);
            int rpcVersion = in.readInt();
            if (rpcVersion != 2) {
                throw new Undecodable("the version of RPC is %s", Integer.toUnsignedString(rpcVersion));
            }
            int program = in.readInt();
            int version = in.readInt();
            int procedure = in.readInt();
            boolean isProtected = skipAuthentication(in) == RPCSEC_GSS;
            skipAuthentication(in);
            return new Call(xid, program, version, procedure, isProtected);
        }
    }

    /** @param isSuccess whether results follow */
    record Reply(int xid, String status, boolean isSuccess) {

        static Reply read(MessageStream in) throws Undecodable {
            int xid = begin(in, REPLY);
            if (in.readInt() != 0) {
                String reason =
                        in.readInt() == 0 ? "RPC_MISMATCH" : "AUTH_ERROR " + Integer.toUnsignedString(in.readInt());
                return new Reply(xid, "MSG_DENIED, " + reason, false);
            }
            skipAuthentication(in);
            int status = in.readInt();
            String name = switch (status) {
                case 0 -> "SUCCESS";
                case 1 -> "PROG_UNAVAIL";
                case 2 -> "PROG_MISMATCH";
                case 3 -> "PROC_UNAVAIL";
                case 4 -> "GARBAGE_ARGS";
                case 5 -> "SYSTEM_ERR";
                default -> throw new Undecodable("its accept_stat is %s", Integer.toUnsignedString(status));
            };
            return new Reply(xid, name, status == 0);
        }
    }

    /** Whether bytes begin like a message of a type. */
    static boolean is(int type, ByteBuffer message) {
        return message.remaining() >= 8 && message.getInt(4) == type;
    }

    /** Reads the xid and the type. */
    private static int begin(MessageStream in, int expected) throws Undecodable {
        int xid = in.readInt();
        int type = in.readInt();
        if (type != expected) {
            throw new Undecodable("its message type is %s", Integer.toUnsignedString(type));
        }
        return xid;
    }

    /** Skips a credential or verifier. @return its flavor */
    private static int skipAuthentication(MessageStream in) throws Undecodable {
        int flavor = in.readInt();
        in.skip(MessageStream.padded(in.readCount(MOST_OF_AUTHENTICATION)));
        return flavor;
    }
}
