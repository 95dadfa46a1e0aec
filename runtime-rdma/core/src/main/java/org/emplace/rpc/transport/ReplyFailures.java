// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.message.ReplyStatus;

/** What replies other than SUCCESS mean to a caller. */
final class ReplyFailures {
    private ReplyFailures() {}

    static Kind kind(ReplyStatus status) {
        if (status instanceof ReplyStatus.ProgramUnavailable) {
            return Kind.PROGRAM_UNAVAILABLE;
        } else if (status instanceof ReplyStatus.ProgramMismatch) {
            return Kind.PROGRAM_MISMATCH;
        } else if (status instanceof ReplyStatus.ProcedureUnavailable) {
            return Kind.PROCEDURE_UNAVAILABLE;
        } else if (status instanceof ReplyStatus.GarbageArguments) {
            return Kind.GARBAGE_ARGS;
        } else if (status instanceof ReplyStatus.RpcMismatch) {
            return Kind.PROTOCOL_MISMATCH;
        } else if (status instanceof ReplyStatus.AuthenticationError) {
            return Kind.AUTHENTICATION;
        }
        return Kind.SYSTEM_ERROR;
    }

    static String describe(ReplyStatus status, Procedure<?, ?> procedure) {
        if (status instanceof ReplyStatus.ProgramUnavailable) {
            return "the peer does not serve program " + procedure.program();
        } else if (status instanceof ReplyStatus.ProgramMismatch mismatch) {
            return "the peer serves program " + procedure.program() + " in versions " + mismatch.lowest() + " to "
                    + mismatch.highest() + ", not " + procedure.version();
        } else if (status instanceof ReplyStatus.ProcedureUnavailable) {
            return "the peer has no procedure " + procedure.number() + " in version " + procedure.version()
                    + " of program " + procedure.program();
        } else if (status instanceof ReplyStatus.GarbageArguments) {
            return "the peer could not decode the arguments";
        } else if (status instanceof ReplyStatus.RpcMismatch mismatch) {
            return "the peer speaks RPC versions " + mismatch.lowest() + " to " + mismatch.highest() + ", not 2";
        } else if (status instanceof ReplyStatus.AuthenticationError error) {
            return "the peer does not accept the credential: " + authenticationStatus(error.why());
        }
        return "the peer failed for reasons of its own (SYSTEM_ERR); its log may say why";
    }

    private static String authenticationStatus(int why) {
        return switch (why) {
            case 1 -> "it is broken (AUTH_BADCRED)";
            case 2 -> "the session has to begin anew (AUTH_REJECTEDCRED)";
            case 3 -> "the verifier is broken (AUTH_BADVERF)";
            case 4 -> "the verifier has expired (AUTH_REJECTEDVERF)";
            case 5 -> "its flavour is too weak (AUTH_TOOWEAK)";
            default -> "auth_stat " + why;
        };
    }
}
