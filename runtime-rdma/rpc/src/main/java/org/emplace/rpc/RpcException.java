// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A call or connection failed. The message is one line and names the connection, and for a call its xid and procedure. */
public final class RpcException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Kinds of failure, by what a caller can do about them. */
    public enum Kind {
        /** No connection could be made: unreachable, refused, rejected. The call was not sent. */
        NOT_CONNECTED,
        /** The connection ended; the call may or may not have run. */
        DISCONNECTED,
        /** No answer within the timeout; the call may or may not have run. */
        TIMED_OUT,
        /** Given up by the caller; the call may or may not have run. */
        CANCELLED,
        /** PROG_UNAVAIL: the peer does not serve the program. */
        PROGRAM_UNAVAILABLE,
        /** PROG_MISMATCH: the peer serves the program in other versions; the message names them. */
        PROGRAM_MISMATCH,
        /** PROC_UNAVAIL: the peer does not have the procedure. */
        PROCEDURE_UNAVAILABLE,
        /** GARBAGE_ARGS: the peer could not decode the arguments, or this side could not encode them. */
        GARBAGE_ARGS,
        /** SYSTEM_ERR: the peer failed for reasons of its own. */
        SYSTEM_ERROR,
        /** MSG_DENIED with AUTH_ERROR: the peer rejects the credential or verifier; or this side could not make them. The message says why. */
        AUTHENTICATION,
        /** MSG_DENIED with RPC_MISMATCH, or RDMA_ERROR: the two sides do not understand each other. */
        PROTOCOL_MISMATCH,
        /** The peer's reply is malformed, or breaks the binding. */
        BAD_REPLY,
        /** The authentication flavor rejects the reply's verifier, so the reply may be forged; the call may or may not have run. */
        BAD_VERIFIER,
        /** Memory could not be registered, or another local resource is exhausted. */
        NO_RESOURCES,
        /** Too many calls of this connection wait for a credit already. The call was not sent. */
        QUEUE_FULL
    }

    private final Kind kind;

    /** @param message one line */
    public RpcException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** @param cause the failure beneath, if there was one */
    public RpcException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** What kind of failure it was. */
    public Kind kind() {
        return kind;
    }
}
