// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import org.emplace.samples.nfs.protocol.v4.Nfsstat4;

/** An operation fails with a status that only version 4 has. */
final class StatusException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Nfsstat4 status;

    /** @param message what is wrong, on one line, for the server's log */
    StatusException(Nfsstat4 status, String message) {
        super(message);
        this.status = status;
    }

    Nfsstat4 status() {
        return status;
    }
}
