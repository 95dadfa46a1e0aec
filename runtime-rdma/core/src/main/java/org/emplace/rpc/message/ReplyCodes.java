// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.message;

import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;

/** The numbers behind {@link ReplyStatus}. */
final class ReplyCodes {
    static final int MSG_ACCEPTED = 0;
    static final int MSG_DENIED = 1;

    static final int RPC_MISMATCH = 0;
    static final int AUTH_ERROR = 1;

    private static final int SUCCESS = 0;
    private static final int PROG_UNAVAIL = 1;
    private static final int PROG_MISMATCH = 2;
    private static final int PROC_UNAVAIL = 3;
    private static final int GARBAGE_ARGS = 4;
    private static final int SYSTEM_ERR = 5;

    private ReplyCodes() {}

    static int acceptStat(ReplyStatus status) {
        if (status instanceof ReplyStatus.Success) {
            return SUCCESS;
        } else if (status instanceof ReplyStatus.ProgramUnavailable) {
            return PROG_UNAVAIL;
        } else if (status instanceof ReplyStatus.ProgramMismatch) {
            return PROG_MISMATCH;
        } else if (status instanceof ReplyStatus.ProcedureUnavailable) {
            return PROC_UNAVAIL;
        } else if (status instanceof ReplyStatus.GarbageArguments) {
            return GARBAGE_ARGS;
        }
        return SYSTEM_ERR;
    }

    static ReplyStatus accepted(XdrDecoder in) throws XdrException {
        int stat = in.readInt();
        return switch (stat) {
            case SUCCESS -> new ReplyStatus.Success();
            case PROG_UNAVAIL -> new ReplyStatus.ProgramUnavailable();
            case PROG_MISMATCH -> new ReplyStatus.ProgramMismatch(in.readUnsignedInt(), in.readUnsignedInt());
            case PROC_UNAVAIL -> new ReplyStatus.ProcedureUnavailable();
            case GARBAGE_ARGS -> new ReplyStatus.GarbageArguments();
            case SYSTEM_ERR -> new ReplyStatus.SystemError();
            default -> throw in.malformed("an accept_stat is " + stat);
        };
    }

    static ReplyStatus denied(XdrDecoder in) throws XdrException {
        int stat = in.readInt();
        return switch (stat) {
            case RPC_MISMATCH -> new ReplyStatus.RpcMismatch(in.readUnsignedInt(), in.readUnsignedInt());
            case AUTH_ERROR -> new ReplyStatus.AuthenticationError(in.readInt());
            default -> throw in.malformed("a reject_stat is " + stat);
        };
    }
}
