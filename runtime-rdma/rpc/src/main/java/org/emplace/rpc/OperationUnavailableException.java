// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

/**
 * A server does not have an operation of a call. A method that is not overridden throws it, and one that is may throw it, too: the operation is
 * then answered by what the server answers otherwise. It has no stack trace, as any peer can cause it at will.
 */
public final class OperationUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param operation its name in the protocol's definition */
    public OperationUnavailableException(String operation) {
        super("the server does not have the operation " + operation, null, false, false);
    }
}
