// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.message;

import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.wire.AcceptStat;
import org.emplace.rpc.wire.AcceptedReplyData;
import org.emplace.rpc.wire.AuthStat;
import org.emplace.rpc.wire.MismatchInfo;
import org.emplace.rpc.wire.RejectedReply;
import org.emplace.rpc.wire.ReplyStat;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;

/**
 * The header of a reply message: all fields before the results, which follow if the call succeeded (RFC 5531 section
 * 9).
 */
public sealed interface ReplyHeader {

    /** MSG_ACCEPTED. */
    record Accepted(OpaqueAuth verifier, AcceptedReplyData outcome) implements ReplyHeader {
        @Override
        public void encode(XdrEncoder out, int xid) {
            encodeAccepted(out, xid, verifier);
            outcome.encode(out);
        }
    }

    /** MSG_DENIED, which has no verifier. */
    record Denied(RejectedReply why) implements ReplyHeader {
        @Override
        public void encode(XdrEncoder out, int xid) {
            out.writeInt(xid);
            out.writeInt(MessageType.REPLY);
            ReplyStat.MSG_DENIED.encode(out);
            why.encode(out);
        }
    }

    /** The outcome of a successful call. The results follow it. */
    AcceptedReplyData SUCCESS = new AcceptedReplyData.Success(XdrOpaque.EMPTY);

    /** SUCCESS with the verifier AUTH_NONE: the most common header. */
    Accepted PLAIN_SUCCESS = new Accepted(OpaqueAuth.NONE, SUCCESS);

    /** The number of four-byte words of {@link #PLAIN_SUCCESS}, including the xid. */
    int PLAIN_SUCCESS_WORDS = 6;

    /** RPC_MISMATCH: only RPC version 2 is supported. */
    Denied RPC_MISMATCH =
            new Denied(new RejectedReply.RpcMismatch(new MismatchInfo(CallHeader.RPC_VERSION, CallHeader.RPC_VERSION)));

    /** Returns the outcome of a failed call, with any status but SUCCESS and PROG_MISMATCH. */
    static AcceptedReplyData failed(AcceptStat status) {
        return new AcceptedReplyData.Default(status);
    }

    /** SYSTEM_ERR with the verifier AUTH_NONE: the results of a call cannot be read. */
    Accepted PLAIN_SYSTEM_ERROR = new Accepted(OpaqueAuth.NONE, new AcceptedReplyData.Default(AcceptStat.SYSTEM_ERR));

    /** Returns PROG_MISMATCH with the lowest and the highest supported version of the program. */
    static AcceptedReplyData programMismatch(long lowest, long highest) {
        return new AcceptedReplyData.ProgMismatch(new MismatchInfo(lowest, highest));
    }

    /** Returns AUTH_ERROR with an auth_stat. */
    static Denied unauthenticated(int status) {
        return new Denied(new RejectedReply.AuthError(AuthStat.of(status)));
    }

    /** Appends the header. */
    void encode(XdrEncoder out, int xid);

    /** Appends the header of a reply to an accepted call, up to the verifier. The outcome must follow. */
    static void encodeAccepted(XdrEncoder out, int xid, OpaqueAuth verifier) {
        out.writeInt(xid);
        out.writeInt(MessageType.REPLY);
        ReplyStat.MSG_ACCEPTED.encode(out);
        verifier.encode(out);
    }

    /** Reads the header of a reply from its xid on. Allocates nothing for {@link #PLAIN_SUCCESS}. */
    static ReplyHeader decode(XdrDecoder in) throws XdrException {
        if (isPlainSuccess(in)) {
            for (int word = 0; word < PLAIN_SUCCESS_WORDS; word++) {
                in.readInt();
            }
            return PLAIN_SUCCESS;
        }
        in.readInt();
        int type = in.readInt();
        if (type != MessageType.REPLY) {
            throw in.malformed("the message type is " + type + ", not REPLY");
        }
        return ReplyStat.decode(in) == ReplyStat.MSG_DENIED
                ? new Denied(RejectedReply.decode(in))
                : new Accepted(OpaqueAuth.decode(in), AcceptedReplyData.decode(in));
    }

    /**
     * Checks that a message begins with the header of a reply. The decoder's position does not change.
     *
     * @throws XdrException if it does not
     */
    static void check(XdrDecoder in) throws XdrException {
        if (!isPlainSuccess(in)) {
            decode(in.fork(EligibleItems.ALL_INLINE));
        }
    }

    /** Compares the words after the xid: REPLY, MSG_ACCEPTED, the verifier's flavor and length, SUCCESS. */
    private static boolean isPlainSuccess(XdrDecoder in) throws XdrException {
        return in.remaining() >= PLAIN_SUCCESS_WORDS * Integer.BYTES
                && in.peekInt(4) == MessageType.REPLY
                && in.peekInt(8) == ReplyStat.MSG_ACCEPTED.value()
                && in.peekInt(12) == OpaqueAuth.NONE.flavor()
                && in.peekInt(16) == 0
                && in.peekInt(20) == AcceptStat.SUCCESS.value();
    }
}
