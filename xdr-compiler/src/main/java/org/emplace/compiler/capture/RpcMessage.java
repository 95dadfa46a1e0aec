// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import org.emplace.compiler.capture.MessageStream.Misplaced;
import org.emplace.compiler.capture.MessageStream.Undecodable;

/** An RPC message up to the arguments or results (RFC 5531 section 9). */
sealed interface RpcMessage {

    /** The transaction id. */
    int xid();

    /**
     * A call; numbers are unsigned.
     *
     * @param isProtected whether RPCSEC_GSS may have wrapped the arguments and the results
     */
    record Call(int xid, int program, int version, int procedure, boolean isProtected) implements RpcMessage {}

    /**
     * A reply.
     *
     * @param status in the words of the RFC
     * @param isSuccess whether results follow
     */
    record Reply(int xid, String status, boolean isSuccess) implements RpcMessage {}

    int RPCSEC_GSS = 6;
    int MOST_OF_AUTHENTICATION = 400;

    /** Reads a message up to its arguments or results. */
    static RpcMessage of(MessageStream in) throws Undecodable, Misplaced {
        int xid = in.readInt();
        int type = in.readInt();
        return switch (type) {
            case 0 -> call(xid, in);
            case 1 -> reply(xid, in);
            default ->
                throw new Undecodable("it is neither call nor reply: its type is " + Integer.toUnsignedString(type));
        };
    }

    private static Call call(int xid, MessageStream in) throws Undecodable, Misplaced {
        int rpcVersion = in.readInt();
        if (rpcVersion != 2) {
            throw new Undecodable("the version of RPC is " + Integer.toUnsignedString(rpcVersion));
        }
        int program = in.readInt();
        int version = in.readInt();
        int procedure = in.readInt();
        boolean isProtected = authentication(in) == RPCSEC_GSS;
        authentication(in);
        return new Call(xid, program, version, procedure, isProtected);
    }

    private static Reply reply(int xid, MessageStream in) throws Undecodable, Misplaced {
        if (in.readInt() != 0) {
            boolean isMismatch = in.readInt() == 0;
            return new Reply(xid, isMismatch ? "MSG_DENIED, RPC_MISMATCH" : "MSG_DENIED, " + authError(in), false);
        }
        authentication(in);
        int status = in.readInt();
        return new Reply(
                xid,
                switch (status) {
                    case 0 -> "SUCCESS";
                    case 1 -> "PROG_UNAVAIL";
                    case 2 -> "PROG_MISMATCH";
                    case 3 -> "PROC_UNAVAIL";
                    case 4 -> "GARBAGE_ARGS";
                    case 5 -> "SYSTEM_ERR";
                    default -> throw new Undecodable("its accept_stat is " + Integer.toUnsignedString(status));
                },
                status == 0);
    }

    private static String authError(MessageStream in) throws Undecodable, Misplaced {
        return "AUTH_ERROR " + Integer.toUnsignedString(in.readInt());
    }

    /** Skips a credential or verifier. @return its flavour */
    private static int authentication(MessageStream in) throws Undecodable, Misplaced {
        int flavour = in.readInt();
        in.skip(MessageStream.padded(in.readCount(MOST_OF_AUTHENTICATION)));
        return flavour;
    }
}
