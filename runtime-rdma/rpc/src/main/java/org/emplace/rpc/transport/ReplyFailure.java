// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.wire.AcceptedReplyData;
import org.emplace.rpc.wire.MismatchInfo;
import org.emplace.rpc.wire.RejectedReply;

/**
 * The failure of a call whose reply is not SUCCESS.
 *
 * @param kind the kind of failure
 * @param why the reason, in one line
 */
record ReplyFailure(Kind kind, String why) {

    /** Returns the failure for an accepted reply to a call of {@code procedure}. */
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
                : new ReplyFailure(Kind.BAD_REPLY, "the reply is SUCCESS, which is not a failure");
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
                        "the peer does not support procedure " + procedure.number() + " of version "
                                + procedure.program().version() + " of program "
                                + procedure.program().number());
            case GARBAGE_ARGS -> new ReplyFailure(Kind.GARBAGE_ARGS, "the peer could not decode the arguments");
            default ->
                new ReplyFailure(
                        Kind.SYSTEM_ERROR,
                        "the peer answered " + failed.stat() + ": it failed or is overloaded; see its log");
        };
    }

    /** Returns the failure for a denied call. */
    static ReplyFailure of(RejectedReply denial) {
        return denial instanceof RejectedReply.RpcMismatch mismatch
                ? new ReplyFailure(
                        Kind.PROTOCOL_MISMATCH,
                        "the peer supports RPC versions " + range(mismatch.rpcVersions()) + ", not 2")
                : new ReplyFailure(
                        Kind.AUTHENTICATION,
                        "the peer rejected the credential or verifier: " + ((RejectedReply.AuthError) denial).why());
    }

    private static String range(MismatchInfo versions) {
        return versions.low() + " to " + versions.high();
    }
}
