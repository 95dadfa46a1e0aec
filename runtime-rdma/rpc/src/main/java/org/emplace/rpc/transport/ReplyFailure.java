// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.wire.AcceptedReplyData;
import org.emplace.rpc.wire.MismatchInfo;
import org.emplace.rpc.wire.RejectedReply;

/**
 * What a reply other than SUCCESS means to a caller.
 *
 * @param kind what the caller can do about it
 * @param why one line
 */
record ReplyFailure(Kind kind, String why) {

    /** The failure that a reply stands for, to a call of this procedure. */
    static ReplyFailure of(AcceptedReplyData reply, Procedure<?, ?> procedure) {
        if (reply instanceof AcceptedReplyData.ProgMismatch mismatch) {
            return new ReplyFailure(
                    Kind.PROGRAM_MISMATCH,
                    "the peer serves program " + procedure.program().number() + " in versions "
                            + range(mismatch.versions()) + ", not "
                            + procedure.program().version());
        }
        return reply instanceof AcceptedReplyData.Default failed
                ? of(failed, procedure)
                : new ReplyFailure(Kind.BAD_REPLY, "SUCCESS is no failure");
    }

    private static ReplyFailure of(AcceptedReplyData.Default failed, Procedure<?, ?> procedure) {
        return switch (failed.stat()) {
            case PROG_UNAVAIL ->
                new ReplyFailure(
                        Kind.PROGRAM_UNAVAILABLE,
                        "the peer does not serve program " + procedure.program().number());
            case PROC_UNAVAIL ->
                new ReplyFailure(
                        Kind.PROCEDURE_UNAVAILABLE,
                        "the peer has no procedure " + procedure.number() + " in version "
                                + procedure.program().version() + " of program "
                                + procedure.program().number());
            case GARBAGE_ARGS -> new ReplyFailure(Kind.GARBAGE_ARGS, "the peer could not decode the arguments");
            default ->
                new ReplyFailure(
                        Kind.SYSTEM_ERROR,
                        "the peer failed for reasons of its own (" + failed.stat() + "); its log may say why");
        };
    }

    /** The failure that a denial stands for. */
    static ReplyFailure of(RejectedReply denial) {
        return denial instanceof RejectedReply.RpcMismatch mismatch
                ? new ReplyFailure(
                        Kind.PROTOCOL_MISMATCH,
                        "the peer speaks RPC versions " + range(mismatch.rpcVersions()) + ", not 2")
                : new ReplyFailure(
                        Kind.AUTHENTICATION,
                        "the peer does not accept the credential: " + ((RejectedReply.AuthError) denial).why());
    }

    private static String range(MismatchInfo versions) {
        return versions.low() + " to " + versions.high();
    }
}
