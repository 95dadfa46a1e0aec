// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.message;

import java.nio.ByteBuffer;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.ClientAuth;
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

/** The header of an RPC message: its xid and its type, and behind them that of a call or that of a reply. */
public final class MessageHeader {
    /** CALL. */
    public static final int CALL = 0;

    /** REPLY. */
    public static final int REPLY = 1;

    /** The shortest message in bytes: xid and type. */
    public static final int MINIMUM_LENGTH = 8;

    private MessageHeader() {}

    /**
     * Returns the type of a message of at least {@link #MINIMUM_LENGTH} bytes, without changing the buffer's position.
     */
    public static int of(ByteBuffer message) {
        return message.getInt(message.position() + 4);
    }

    /**
     * Returns the type of the message at a decoder's position, which does not change.
     *
     * @throws XdrException if the message is shorter than {@link #MINIMUM_LENGTH}
     */
    public static int ahead(XdrDecoder message) throws XdrException {
        return message.peekInt(4);
    }

    /**
     * Returns the xid of a message of at least {@link #MINIMUM_LENGTH} bytes, without changing the buffer's position.
     */
    public static int xidOf(ByteBuffer message) {
        return message.getInt(message.position());
    }

    /**
     * The header of a call message: all fields before the arguments.
     *
     * <p>Encoded and decoded by hand instead of by the generated {@code rpc_msg}: a receiver must answer a call with
     * another RPC version, which the generated decoder rejects, and the arguments follow in the same stream.
     */
    public record CallHeader(
            int xid, long program, long version, long procedure, OpaqueAuth credential, OpaqueAuth verifier) {
        /** The RPC version that this runtime supports. */
        public static final long RPC_VERSION = 2;

        /**
         * Appends the header of a call.
         *
         * @throws AuthException if the verifier cannot be created
         */
        public static void encode(XdrEncoder out, int xid, Procedure<?, ?> procedure, ClientAuth.Exchange auth)
                throws AuthException {
            long program = procedure.program().number();
            long version = procedure.program().version();
            long number = procedure.number();
            OpaqueAuth credential = auth.credential();
            encode(out, xid, program, version, number, credential);
            auth.verifier(() -> upToCredential(xid, program, version, number, credential))
                    .encode(out);
        }

        private static void encode(
                XdrEncoder out, int xid, long program, long version, long procedure, OpaqueAuth credential) {
            out.writeInt(xid);
            out.writeInt(MessageHeader.CALL);
            out.writeUnsignedInt(RPC_VERSION);
            out.writeUnsignedInt(program);
            out.writeUnsignedInt(version);
            out.writeUnsignedInt(procedure);
            credential.encode(out);
        }

        private static ByteBuffer upToCredential(
                int xid, long program, long version, long procedure, OpaqueAuth credential) {
            XdrEncoder header = XdrEncoder.onHeap();
            encode(header, xid, program, version, procedure, credential);
            return header.finish().stream();
        }

        /** Returns the RPC version of a call message without consuming any bytes. The xid and the message type before it are the same in all versions. */
        public static long versionAhead(XdrDecoder in) throws XdrException {
            return Integer.toUnsignedLong(in.peekInt(2 * Integer.BYTES));
        }

        /** Reads a header of version {@link #RPC_VERSION}. */
        public static CallHeader decode(XdrDecoder in) throws XdrException {
            int xid = in.readInt();
            int type = in.readInt();
            if (type != MessageHeader.CALL) {
                throw in.malformed("the message type is " + type + ", not CALL");
            }
            long rpcVersion = in.readUnsignedInt();
            if (rpcVersion != RPC_VERSION) {
                throw in.malformed("the RPC version is " + rpcVersion + ", not " + RPC_VERSION);
            }
            return new CallHeader(
                    xid,
                    in.readUnsignedInt(),
                    in.readUnsignedInt(),
                    in.readUnsignedInt(),
                    OpaqueAuth.decode(in),
                    OpaqueAuth.decode(in));
        }

        /** Returns the bytes from the xid to the end of the credential, which a verifier covers. */
        public ByteBuffer upToCredential() {
            return upToCredential(xid, program, version, procedure, credential);
        }
    }

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
                out.writeInt(MessageHeader.REPLY);
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
        Denied RPC_MISMATCH = new Denied(
                new RejectedReply.RpcMismatch(new MismatchInfo(CallHeader.RPC_VERSION, CallHeader.RPC_VERSION)));

        /** Returns the outcome of a failed call, with any status but SUCCESS and PROG_MISMATCH. */
        static AcceptedReplyData failed(AcceptStat status) {
            return new AcceptedReplyData.Default(status);
        }

        /** SYSTEM_ERR with the verifier AUTH_NONE: the results of a call cannot be read. */
        Accepted PLAIN_SYSTEM_ERROR =
                new Accepted(OpaqueAuth.NONE, new AcceptedReplyData.Default(AcceptStat.SYSTEM_ERR));

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
            out.writeInt(MessageHeader.REPLY);
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
            if (type != MessageHeader.REPLY) {
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
                    && in.peekInt(4) == MessageHeader.REPLY
                    && in.peekInt(8) == ReplyStat.MSG_ACCEPTED.value()
                    && in.peekInt(12) == OpaqueAuth.NONE.flavor()
                    && in.peekInt(16) == 0
                    && in.peekInt(20) == AcceptStat.SUCCESS.value();
        }
    }
}
