// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import org.emplace.xdr.XdrValue;
import org.jspecify.annotations.Nullable;

/**
 * Reports that an operation of a call, such as one of NFSv4's COMPOUND, has no result. The message is one line and
 * names the procedure and the operation.
 */
public abstract sealed class OperationException extends IOException {
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

    /**
     * Reports that the server ran an operation of a call and returned a status of failure. The server ran none of the later
     * operations.
     */
    public static final class Failed extends OperationException {
        private static final long serialVersionUID = 1L;

        private final transient XdrValue status;
        private final transient XdrValue result;

        Failed(String operation, String message, XdrValue status, XdrValue result) {
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

    /**
     * Reports that the server did not run an operation of a call. The cause is the {@linkplain Failed failure} of the
     * operation before it. There is no cause if the server rejected the whole call; the call's results then have the status.
     */
    public static final class NotReached extends OperationException {
        private static final long serialVersionUID = 1L;

        NotReached(String operation, String message, @Nullable OperationException failed) {
            super(operation, message, failed);
        }
    }
}
