// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.message;

import org.emplace.rpc.wire.AcceptStat;
import org.emplace.rpc.wire.AcceptedReply;
import org.emplace.rpc.wire.AcceptedReplyData;
import org.emplace.rpc.wire.AuthFlavor;
import org.emplace.rpc.wire.AuthStat;
import org.emplace.rpc.wire.MismatchInfo;
import org.emplace.rpc.wire.MsgType;
import org.emplace.rpc.wire.OpaqueAuth;
import org.emplace.rpc.wire.RejectedReply;
import org.emplace.rpc.wire.ReplyBody;
import org.emplace.rpc.wire.ReplyStat;
import org.emplace.rpc.wire.RpcMsg;
import org.emplace.rpc.wire.RpcMsgBody;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;

/** Reply messages up to the procedure's results, for each of the outcomes of RFC 5531 section 9. */
public final class Replies {
    /** SUCCESS: the results follow. */
    public static final ReplyBody SUCCESS = accepted(new AcceptedReplyData.Success(XdrOpaque.EMPTY));

    /** MSG_DENIED, RPC_MISMATCH: only version 2 of RPC is spoken here. */
    public static final ReplyBody RPC_MISMATCH = new ReplyBody.MsgDenied(
            new RejectedReply.RpcMismatch(new MismatchInfo(CallHeader.RPC_VERSION, CallHeader.RPC_VERSION)));

    /** The xid, and what {@link #isPlainSuccess} looks at. */
    private static final int SUCCESS_WORDS = 6;

    private Replies() {}

    /** An accepted call that failed: any status but SUCCESS and PROG_MISMATCH. */
    public static ReplyBody failed(AcceptStat status) {
        return accepted(new AcceptedReplyData.Default(status));
    }

    /** PROG_MISMATCH: the versions of the program that there are. */
    public static ReplyBody programMismatch(long lowest, long highest) {
        return accepted(new AcceptedReplyData.ProgMismatch(new MismatchInfo(lowest, highest)));
    }

    /** MSG_DENIED, AUTH_ERROR. */
    public static ReplyBody unauthenticated(AuthStat why) {
        return new ReplyBody.MsgDenied(new RejectedReply.AuthError(why));
    }

    private static ReplyBody accepted(AcceptedReplyData data) {
        OpaqueAuth noVerifier = new OpaqueAuth(AuthFlavor.AUTH_NONE, XdrOpaque.EMPTY);
        return new ReplyBody.MsgAccepted(new AcceptedReply(noVerifier, data));
    }

    /** Appends the header of a reply; the results follow {@link #SUCCESS}. */
    public static void encode(XdrEncoder out, int xid, ReplyBody reply) {
        out.writeInt(xid);
        MsgType.REPLY.encode(out);
        reply.encode(out);
    }

    /** Reads the header of a reply, its xid included. For a plain SUCCESS it allocates nothing and returns {@link #SUCCESS}. */
    public static ReplyBody decode(XdrDecoder in) throws XdrException {
        if (isPlainSuccess(in)) {
            for (int word = 0; word < SUCCESS_WORDS; word++) {
                in.readInt();
            }
            return SUCCESS;
        }
        if (RpcMsg.decode(in).body() instanceof RpcMsgBody.Reply reply) {
            return reply.rbody();
        }
        throw in.malformed("the message is a call, not a reply");
    }

    /**
     * Checks that a message begins with the header of a reply. The decoder stays at it.
     *
     * @throws XdrException if it does not
     */
    public static void check(XdrDecoder in) throws XdrException {
        if (!isPlainSuccess(in)) {
            decode(in.fork(EligibleItems.ALL_INLINE));
        }
    }

    /** Whether a reply says SUCCESS with a verifier of AUTH_NONE: REPLY, MSG_ACCEPTED, the verifier's flavour and length, SUCCESS. */
    private static boolean isPlainSuccess(XdrDecoder in) throws XdrException {
        return in.remaining() >= SUCCESS_WORDS * Integer.BYTES
                && in.peekInt(4) == MsgType.REPLY.value()
                && in.peekInt(8) == ReplyStat.MSG_ACCEPTED.value()
                && in.peekInt(12) == AuthFlavor.AUTH_NONE.value()
                && in.peekInt(16) == 0
                && in.peekInt(20) == AcceptStat.SUCCESS.value();
    }
}
