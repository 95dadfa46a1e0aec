// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reports that an RDMA operation failed; {@link #reason} gives the kind of failure. */
public final class RdmaException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The kinds of failure. */
    public enum Reason {
        /**
         * No device of this provider has a route to the address or, for a listener, owns it. A device of another
         * provider may.
         */
        NO_DEVICE,
        /** Nothing answers at the address. */
        UNREACHABLE,
        /** Nothing listens on the port. */
        REFUSED,
        /** The peer rejected the connection request. */
        REJECTED,
        /** The peer did not answer in time. */
        TIMED_OUT,
        /** The address to listen on is in use, or does not belong to this machine. */
        ADDRESS_UNAVAILABLE,
        /** The peer violated the protocol; the message says how. */
        PEER_VIOLATION,
        /** The peer ended the connection with a Terminate message, which reports an error of this side. */
        TERMINATED_BY_PEER,
        /** The connection is over. */
        DISCONNECTED,
        /** A resource is exhausted: memory that may be pinned, STags or file descriptors. */
        NO_RESOURCES
    }

    private final Reason reason;

    /** @param message one line that names the connection and what went wrong */
    public RdmaException(Reason reason, String message) {
        this(reason, message, null);
    }

    /** @param cause the underlying failure, or null */
    public RdmaException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** The kind of failure. */
    public Reason reason() {
        return reason;
    }
}
