// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

/**
 * Reports that a server does not support a procedure of its program. A handler throws this exception, or completes its
 * stage with it. The server then replies with PROC_UNAVAIL (RFC 5531 section 9), and the client's call fails with {@link
 * RpcException.Kind#PROCEDURE_UNAVAILABLE}. It is not logged and has no stack trace, because any peer can cause it.
 */
public final class ProcedureUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates an exception, the same for every procedure. */
    public ProcedureUnavailableException() {
        super("the server does not support this procedure", null, false, false);
    }
}
