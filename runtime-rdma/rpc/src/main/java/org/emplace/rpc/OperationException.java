// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reports that an operation of a call, such as one of NFSv4's COMPOUND, has no result. The message is one line and
 * names the procedure and the operation.
 */
public abstract sealed class OperationException extends IOException
        permits OperationFailedException, OperationNotReachedException {
    private static final long serialVersionUID = 1L;

    private final String operation;

    OperationException(String operation, String message, @Nullable OperationException cause) {
        super(message, cause);
        this.operation = operation;
    }

    /** The operation's name in the protocol's definition: {@code OP_READ}. */
    public String operation() {
        return operation;
    }
}
