// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.message;

import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;

/**
 * What a reply message says of its call, up to the procedure's results: each of the outcomes of RFC 5531 section 9.
 *
 * <p>Coded by hand for the reason given at {@link CallHeader}.
 */
public sealed interface ReplyStatus {

    /** SUCCESS: the results follow. */
    record Success() implements ReplyStatus {}

    /** PROG_UNAVAIL. */
    record ProgramUnavailable() implements ReplyStatus {}

    /** PROG_MISMATCH: the versions of the program that there are. */
    record ProgramMismatch(long lowest, long highest) implements ReplyStatus {}

    /** PROC_UNAVAIL. */
    record ProcedureUnavailable() implements ReplyStatus {}

    /** GARBAGE_ARGS. */
    record GarbageArguments() implements ReplyStatus {}

    /** SYSTEM_ERR. */
    record SystemError() implements ReplyStatus {}

    /** MSG_DENIED, RPC_MISMATCH: the versions of RPC itself that the server speaks. */
    record RpcMismatch(long lowest, long highest) implements ReplyStatus {}

    /** MSG_DENIED, AUTH_ERROR: an {@code auth_stat}. */
    record AuthenticationError(int why) implements ReplyStatus {
        /** AUTH_BADCRED: the credential is broken. */
        public static final int BAD_CREDENTIAL = 1;
    }

    /** Appends the header of a reply; the results follow a {@link Success}. */
    default void encode(XdrEncoder out, int xid) {
        out.writeInt(xid);
        out.writeInt(MessageType.REPLY);
        if (this instanceof RpcMismatch mismatch) {
            out.writeInt(ReplyCodes.MSG_DENIED);
            out.writeInt(ReplyCodes.RPC_MISMATCH);
            out.writeUnsignedInt(mismatch.lowest());
            out.writeUnsignedInt(mismatch.highest());
        } else if (this instanceof AuthenticationError error) {
            out.writeInt(ReplyCodes.MSG_DENIED);
            out.writeInt(ReplyCodes.AUTH_ERROR);
            out.writeInt(error.why());
        } else {
            out.writeInt(ReplyCodes.MSG_ACCEPTED);
            Authentication.encodeNone(out);
            out.writeInt(ReplyCodes.acceptStat(this));
            if (this instanceof ProgramMismatch mismatch) {
                out.writeUnsignedInt(mismatch.lowest());
                out.writeUnsignedInt(mismatch.highest());
            }
        }
    }

    /** Reads the header of a reply, its xid included. */
    static ReplyStatus decode(XdrDecoder in) throws XdrException {
        in.readInt();
        int type = in.readInt();
        if (type != MessageType.REPLY) {
            throw in.malformed("the message type is " + type + ", not REPLY");
        }
        int stat = in.readInt();
        return switch (stat) {
            case ReplyCodes.MSG_ACCEPTED -> {
                Authentication.skipVerifier(in);
                yield ReplyCodes.accepted(in);
            }
            case ReplyCodes.MSG_DENIED -> ReplyCodes.denied(in);
            default -> throw in.malformed("a reply_stat is " + stat);
        };
    }
}
