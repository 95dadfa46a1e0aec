// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

/**
 * A server does not have an operation of a call. Methods that are not overridden throw it, and others may: the server's method {@code otherwise}
 * then answers the operation. It has no stack trace, because any peer can cause it at will.
 */
public final class OperationUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param operation its name in the protocol's definition */
    public OperationUnavailableException(String operation) {
        super("the server does not have the operation " + operation, null, false, false);
    }
}
