// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a call or a connection failed; {@link #kind} says how. The message is one line that names the connection and, for a
 * call, its xid and procedure.
 */
public final class RpcException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The kinds of failure, which differ in what a caller can do about them. */
    public enum Kind {
        /** No connection could be made: the peer is unreachable, or refused or rejected it. The call was not sent. */
        NOT_CONNECTED(false),
        /** The connection ended; the call may or may not have run. */
        DISCONNECTED(true),
        /** No reply arrived within the timeout; the call may or may not have run. */
        TIMED_OUT(true),
        /** The caller cancelled the call; it may or may not have run. */
        CANCELLED(true),
        /** PROG_UNAVAIL: the peer does not serve the program. */
        PROGRAM_UNAVAILABLE(false),
        /** PROG_MISMATCH: the peer serves other versions of the program, which the message names. */
        PROGRAM_MISMATCH(false),
        /** PROC_UNAVAIL: the peer does not support the procedure. */
        PROCEDURE_UNAVAILABLE(false),
        /** GARBAGE_ARGS: the peer could not decode the arguments, or this side could not encode them or makes no call that long. */
        GARBAGE_ARGS(false),
        /** SYSTEM_ERR: the peer failed; the call may or may not have run. */
        SYSTEM_ERROR(true),
        /**
         * MSG_DENIED with AUTH_ERROR: the peer rejected the credential or verifier; or this side could not create them.
         * The message says why. The cause is an {@link org.emplace.rpc.auth.AuthException} with the auth_stat, if there is one.
         */
        AUTHENTICATION(false),
        /** MSG_DENIED with RPC_MISMATCH, or RDMA_ERROR with ERR_VERS: the peer does not support the version. */
        PROTOCOL_MISMATCH(false),
        /**
         * RDMA_ERROR with ERR_CHUNK: the peer cannot handle the call's chunks, or its reply did not fit those that the
         * call provided; the call may or may not have run.
         */
        CHUNK_ERROR(true),
        /** The peer's reply is malformed or violates the binding; the call may or may not have run. */
        BAD_REPLY(true),
        /** The reply's verifier is not valid, so the reply may be forged; the call may or may not have run. */
        BAD_VERIFIER(true),
        /** A local resource is exhausted; for example, memory could not be registered. The call was not sent. */
        NO_RESOURCES(false),
        /** Too many calls already wait for a credit or for a new connection. The call was not sent. */
        QUEUE_FULL(false);

        private final boolean mayHaveRun;

        Kind(boolean mayHaveRun) {
            this.mayHaveRun = mayHaveRun;
        }

        /** Whether the call may have run. If not, it can be made again without running twice. */
        public boolean mayHaveRun() {
            return mayHaveRun;
        }
    }

    private final Kind kind;

    /** @param message one line that says what failed */
    public RpcException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** @param cause the underlying failure, or null */
    public RpcException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** The kind of failure. */
    public Kind kind() {
        return kind;
    }
}
