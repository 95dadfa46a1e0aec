// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

/**
 * A server's method does not answer its operation. Methods that a server does not implement throw this; one that is implemented may, too. The
 * generated interface's {@code otherwise} answers the operation then.
 */
public final class OperationUnsupportedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param operation its name in the protocol's definition */
    public OperationUnsupportedException(String operation) {
        super(
                operation + " is not supported",
                null,
                false,
                false); // it ends in the generated code, which needs no stack trace
    }
}
