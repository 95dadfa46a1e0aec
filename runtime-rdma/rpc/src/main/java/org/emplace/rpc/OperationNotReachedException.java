// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import org.jspecify.annotations.Nullable;

/**
 * Reports that the server did not run an operation of a call. The cause is the {@link OperationFailedException} of the
 * operation that failed before it. There is no cause if the server rejected the whole call; the call's results then
 * have the status.
 */
public final class OperationNotReachedException extends OperationException {
    private static final long serialVersionUID = 1L;

    OperationNotReachedException(String operation, String message, @Nullable OperationException failed) {
        super(operation, message, failed);
    }
}
