// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.server.state.Session.Slot;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.jspecify.annotations.Nullable;

/** The operations of sessions. */
public final class Sessions {
    private final Ledger ledger;

    Sessions(Ledger ledger) {
        this.ledger = ledger;
    }

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
        CB_PATH_DOWN(0x1),
        EXPIRED_ALL_STATE_REVOKED(0x8),
        EXPIRED_SOME_STATE_REVOKED(0x10),
        RECALLABLE_STATE_REVOKED(0x40),
        RESTART_RECLAIM_NEEDED(0x100),
        CB_PATH_DOWN_SESSION(0x200),
        BACKCHANNEL_FAULT(0x400);

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
        synchronized (ledger) {
            Session session = ledger.session(request.session());
            if (Integer.toUnsignedLong(request.operations()) > session.fore.maxOperations()) {
                throw new StateException(Status.TOO_MANY_OPS, request.operations() + " operations in a COMPOUND");
            }
            if (request.bytes() > session.fore.maxRequest()) {
                throw new StateException(Status.REQ_TOO_BIG, "a request of " + request.bytes() + " bytes");
            }
            if (!session.hasSlot(request.slot())) {
                throw new StateException(Status.BADSLOT, "the session has no such slot");
            }
            if (!session.hasSlot(request.highestSlot())) {
                throw new StateException(Status.BAD_HIGH_SLOT, "the session has no such highest slot");
            }
            Sequenced decided = sequence(session, request);
            session.client.renewed = ledger.now();
            ledger.bind(session, connection);
            return decided;
        }
    }

    private Sequenced sequence(Session session, SequenceRequest request) throws StateException {
        Slot slot = session.slot(request.slot());
        if (slot.call != null) {
            throw slot.call.sequence() == request.sequence()
                    ? new StateException(Status.DELAY, "the request is being performed")
                    : misordered();
        }
        if (slot.fingerprint != null && request.sequence() == slot.sequence) {
            if (!request.fingerprint().equals(slot.fingerprint)) {
                throw new StateException(Status.SEQ_FALSE_RETRY, "another request had the same sequence ID");
            }
            return new Resend(session.sequenceResult(ledger.grace), Optional.ofNullable(slot.reply));
        }
        if (request.sequence() != slot.sequence + 1) {
            throw misordered();
        }
        return new SlotCall(ledger, session, slot, request);
    }

    private static StateException misordered() {
        return new StateException(Status.SEQ_MISORDERED, "a sequence ID is out of order in its slot");
    }

    /**
     * BIND_CONN_TO_SESSION, for the fore channel (RFC 8881 section 18.34).
     *
     * @throws StateException BADSESSION
     */
    public void bind(SessionId session, Object connection) throws StateException {
        synchronized (ledger) {
            ledger.bind(ledger.session(session), connection);
        }
    }

    /**
     * DESTROY_SESSION (RFC 8881 section 18.37). Its client's state remains.
     *
     * @param call the call that asks for it, if it has a SEQUENCE
     * @throws StateException BADSESSION; CONN_NOT_BOUND_TO_SESSION; DELAY while other calls of the session are being performed
     */
    public void destroy(SessionId id, Object connection, @Nullable SlotCall call) throws StateException {
        synchronized (ledger) {
            Session session = ledger.session(id);
            if (!session.connections.contains(connection)) {
                throw new StateException(
                        Status.CONN_NOT_BOUND_TO_SESSION, "DESTROY_SESSION came by a connection of another session");
            }
            int own = call != null && call.session().equals(id) ? 1 : 0;
            if (session.calls > own) {
                throw new StateException(Status.DELAY, "calls of the session are being performed");
            }
            ledger.remove(session);
        }
    }

    /** Unbinds a closed connection from its sessions. */
    public void connectionClosed(Object connection) {
        synchronized (ledger) {
            ledger.closed(connection);
        }
    }
}
