// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.io.IOException;

/** An operation failed for a reason that has a status in the protocol. */
public final class StoreException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Failure failure;

    /** @param message what is wrong, on one line, for the server's log */
    public StoreException(Failure failure, String message) {
        super(message);
        this.failure = failure;
    }

    /** The protocol's status. */
    public Failure failure() {
        return failure;
    }
}
