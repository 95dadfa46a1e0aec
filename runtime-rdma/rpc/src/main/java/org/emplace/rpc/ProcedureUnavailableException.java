// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

/**
 * A server does not have a procedure of its program. Code that answers calls throws it, or completes its stage with it. The server then replies
 * PROC_UNAVAIL (RFC 5531 section 9), and the call fails with {@link RpcException.Kind#PROCEDURE_UNAVAILABLE}. It is not logged, and has no stack trace,
 * because any peer can cause it at will.
 */
public final class ProcedureUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    /** For any procedure: the caller knows which one it called. */
    public ProcedureUnavailableException() {
        super("the server does not have this procedure", null, false, false);
    }
}
