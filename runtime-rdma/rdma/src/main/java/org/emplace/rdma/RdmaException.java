// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Something that RDMA cannot do or could not do; {@link #reason} says what kind of failure. */
public final class RdmaException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Kinds of failure. */
    public enum Reason {
        /** Connecting: no device of this provider routes to that address. Listening: none owns it. Another provider's may. */
        NO_DEVICE,
        /** Nobody answers at that address. */
        UNREACHABLE,
        /** The port is closed. */
        REFUSED,
        /** The peer answered the set-up with a rejection. */
        REJECTED,
        /** No answer in time. */
        TIMED_OUT,
        /** The address to listen on is in use or not ours. */
        ADDRESS_UNAVAILABLE,
        /** The peer broke the protocol; the message says how. */
        PEER_VIOLATION,
        /** The peer ended the connection with a Terminate message: it says that we broke the protocol. */
        TERMINATED_BY_PEER,
        /** The connection is over. */
        DISCONNECTED,
        /** A resource is exhausted: memory to pin, STags, descriptors. */
        NO_RESOURCES
    }

    private final Reason reason;

    /** @param message one line that names the connection and what went wrong */
    public RdmaException(Reason reason, String message) {
        this(reason, message, null);
    }

    /** @param cause the failure beneath, if there was one */
    public RdmaException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** What kind of failure it was. */
    public Reason reason() {
        return reason;
    }
}
