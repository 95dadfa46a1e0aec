// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import org.emplace.xdr.XdrValue;

/**
 * Reports that the server ran an operation of a call and returned a status of failure. The server ran none of the later
 * operations.
 */
public final class OperationFailedException extends OperationException {
    private static final long serialVersionUID = 1L;

    private final transient XdrValue status;
    private final transient XdrValue result;

    OperationFailedException(String operation, String message, XdrValue status, XdrValue result) {
        super(operation, message, null);
        this.status = status;
        this.result = result;
    }

    /** The status: a value of the protocol's enum. Compare it by {@code equals}. */
    public XdrValue status() {
        return status;
    }

    /** The operation's element of the results, which may have details of the failure. */
    public XdrValue result() {
        return result;
    }
}
