// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

/**
 * Reports that a server does not support an operation of a call. Generated methods that are not overridden throw this
 * exception, and others may; the server's method {@code otherwise} then answers the operation. The exception has no
 * stack trace, because any peer can cause it.
 */
public final class OperationUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param operation the operation's name in the protocol's definition */
    public OperationUnavailableException(String operation) {
        super("the server does not support the operation " + operation, null, false, false);
    }
}
