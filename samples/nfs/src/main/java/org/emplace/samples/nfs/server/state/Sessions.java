// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operations of sessions. */
@SuppressWarnings("DoNotCallSuggester")
public final class Sessions {
    Sessions() {}

    /**
     * The arguments of SEQUENCE, and what its limits apply to.
     *
     * @param operations the operations of the COMPOUND, SEQUENCE included
     * @param bytes the size of the request
     * @param fingerprint equal for equal requests: tells a retry from another request with the same sequence ID
     */
    public record SequenceRequest(
            SessionId session,
            int sequence,
            int slot,
            int highestSlot,
            int operations,
            long bytes,
            Object fingerprint) {}

    /** The result of SEQUENCE, besides what the request repeats. */
    public record SequenceResult(int highestSlot, int targetHighestSlot, Set<SequenceFlag> flags) {}

    /** What a client should know (SEQ4_STATUS, RFC 8881 section 18.46.3), with the protocol's bits. */
    public enum SequenceFlag {
        EXPIRED_ALL_STATE_REVOKED(0x8),
        EXPIRED_SOME_STATE_REVOKED(0x10);

        private final int bit;

        SequenceFlag(int bit) {
            this.bit = bit;
        }

        /** Its bit in sr_status_flags. */
        public int bit() {
            return bit;
        }
    }

    /** What SEQUENCE decides: a {@link SlotCall} to perform, or a {@link Resend} to answer at once. */
    public sealed interface Sequenced permits SlotCall, Resend {
        /** What SEQUENCE returns. */
        SequenceResult result();
    }

    /**
     * The request was performed before.
     *
     * @param reply the reply that was kept; if empty, the operation after SEQUENCE fails with RETRY_UNCACHED_REP
     */
    public record Resend(SequenceResult result, Optional<Object> reply) implements Sequenced {}

    /**
     * SEQUENCE (RFC 8881 section 18.46): renews the lease, and binds the connection to the session's fore channel.
     *
     * @throws StateException BADSESSION, BADSLOT, BAD_HIGH_SLOT, SEQ_MISORDERED, SEQ_FALSE_RETRY, TOO_MANY_OPS, REQ_TOO_BIG; DELAY if the slot's
     *     request is being performed
     */
    public Sequenced sequence(SequenceRequest request, Object connection) throws StateException {
        throw new UnsupportedOperationException();
    }

    /**
     * BIND_CONN_TO_SESSION, for the fore channel (RFC 8881 section 18.34).
     *
     * @throws StateException BADSESSION; DELAY if too many connections are bound to it
     */
    public void bind(SessionId session, Object connection) throws StateException {
        throw new UnsupportedOperationException();
    }

    /**
     * DESTROY_SESSION (RFC 8881 section 18.37). Its client's state remains.
     *
     * @param call the call that asks for it, if it has a SEQUENCE
     * @throws StateException BADSESSION; CONN_NOT_BOUND_TO_SESSION; DELAY while other calls of the session are being performed
     */
    public void destroy(SessionId session, Object connection, @Nullable SlotCall call) throws StateException {
        throw new UnsupportedOperationException();
    }

    /** Unbinds a closed connection from its sessions. */
    public void connectionClosed(Object connection) {
        throw new UnsupportedOperationException();
    }
}
