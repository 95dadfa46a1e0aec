// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;
import org.emplace.compiler.capture.MessageStream.Undecodable;

/** RPC messages up to the arguments or results (RFC 5531 section 9). */
final class RpcMessage {
    static final int CALL = 0;
    static final int REPLY = 1;

    private static final int RPCSEC_GSS = 6;
    private static final int MOST_OF_AUTHENTICATION = 400;

    private RpcMessage() {}

    /** @param gss the credential, if it is one of RPCSEC_GSS */
    record Call(int xid, int program, int version, int procedure, Optional<Gss> gss) {

        static Call read(MessageStream in) throws Undecodable {
            int xid = begin(in, CALL);
            int rpcVersion = in.readInt();
            if (rpcVersion != 2) {
                throw new Undecodable("the version of RPC is %s", Integer.toUnsignedString(rpcVersion));
            }
            int program = in.readInt();
            int version = in.readInt();
            int procedure = in.readInt();
            int flavor = in.readInt();
            long length = in.readCount(MOST_OF_AUTHENTICATION);
            Optional<Gss> gss = flavor == RPCSEC_GSS ? Optional.of(Gss.read(in, length)) : Optional.empty();
            in.skip(gss.isPresent() ? 0 : MessageStream.padded(length));
            skipAuthentication(in);
            return new Call(xid, program, version, procedure, gss);
        }
    }

    /**
     * A credential of RPCSEC_GSS version 1 (RFC 2203 section 5).
     *
     * @param context the handle, in hexadecimal digits
     */
    record Gss(int purpose, int sequence, int service, String context) {
        private static final int DATA = 0;
        private static final int NONE = 1;
        /** Version, purpose, sequence number, service and the length of the handle. */
        private static final int FIXED = 20;

        static Gss read(MessageStream in, long length) throws Undecodable {
            int version = in.readInt();
            if (version != 1) {
                throw new Undecodable("the version of RPCSEC_GSS is %s", Integer.toUnsignedString(version));
            }
            int purpose = in.readInt();
            int sequence = in.readInt();
            int service = in.readInt();
            long handle = in.readCount(MOST_OF_AUTHENTICATION);
            if (FIXED + MessageStream.padded(handle) != MessageStream.padded(length)) {
                throw new Undecodable("the credential of RPCSEC_GSS has %,d bytes, its handle %,d", length, handle);
            }
            return new Gss(purpose, sequence, service, hexadecimal(in, (int) handle));
        }

        private static String hexadecimal(MessageStream in, int length) throws Undecodable {
            StringBuilder digits = new StringBuilder();
            for (int at = 0; at < length; at += Integer.BYTES) {
                digits.append(HexFormat.of().toHexDigits(in.readInt()));
            }
            return digits.substring(0, 2 * length);
        }

        /** Whether arguments and results are as without RPCSEC_GSS. */
        boolean leavesBodiesAsTheyAre() {
            return purpose == DATA && service == NONE;
        }

        /** The one line about it in a timeline. */
        String describe() {
            String number = "sequence number " + Integer.toUnsignedString(sequence);
            return "RPCSEC_GSS: "
                    + switch (purpose) {
                        case DATA -> "context " + context + ", " + protection() + ", " + number;
                        case 1 -> "creates a context";
                        case 2 -> "goes on creating context " + context;
                        case 3 -> "destroys context " + context + ", " + number;
                        default -> "purpose " + Integer.toUnsignedString(purpose);
                    };
        }

        private String protection() {
            return switch (service) {
                case NONE -> "no protection of bodies";
                case 2 -> "integrity";
                case 3 -> "privacy";
                default -> "service " + Integer.toUnsignedString(service);
            };
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

    private static void skipAuthentication(MessageStream in) throws Undecodable {
        in.readInt();
        in.skip(MessageStream.padded(in.readCount(MOST_OF_AUTHENTICATION)));
    }
}
