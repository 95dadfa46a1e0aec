// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.Optional;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.jspecify.annotations.Nullable;

/** The operations of client IDs, and the creation of sessions, which confirms them. */
public final class Clients {
    private static final int LONGEST_NAME = 1024;
    private static final int VERIFIER = 8;

    /** The least request and reply of a fore channel: a COMPOUND of SEQUENCE alone, with AUTH_NONE. */
    private static final ChannelAttributes LEAST_FORE = new ChannelAttributes(88, 80, 0, 1, 1);

    /** The least of a back channel: CB_SEQUENCE and CB_RECALL or CB_GETATTR. */
    private static final ChannelAttributes LEAST_BACK = new ChannelAttributes(256, 128, 0, 2, 1);

    private final Ledger ledger;

    Clients(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * A client as it names itself (client_owner4).
     *
     * @param name up to 1,024 bytes that stay the same when the client restarts
     * @param verifier 8 bytes that change when it restarts
     */
    public record ClientOwner(Opaque name, Opaque verifier) {}

    /**
     * The result of EXCHANGE_ID.
     *
     * @param sequence the sequence ID of the client's next CREATE_SESSION
     * @param isConfirmed whether the client ID was confirmed before (EXCHGID4_FLAG_CONFIRMED_R)
     */
    public record ClientIdentity(long clientId, int sequence, boolean isConfirmed) {}

    /** The arguments of CREATE_SESSION. */
    public record SessionRequest(long clientId, int sequence, ChannelAttributes fore, ChannelAttributes back) {}

    /** The result of CREATE_SESSION. */
    public record CreatedSession(SessionId id, int sequence, ChannelAttributes fore, ChannelAttributes back) {}

    /**
     * EXCHANGE_ID with the cases of RFC 8881 section 18.35.5.
     *
     * @param isUpdate EXCHGID4_FLAG_UPD_CONFIRMED_REC_A
     * @throws StateException CLID_INUSE, NOENT, NOT_SAME or PERM by these cases; INVAL if the name or the verifier has a wrong length;
     *     DELAY if there are too many clients
     */
    public ClientIdentity exchangeId(ClientOwner owner, boolean isUpdate, CallOrigin origin) throws StateException {
        if (owner.name().length() > LONGEST_NAME || owner.verifier().length() != VERIFIER) {
            throw new StateException(Status.INVAL, "a client owner's name or verifier has a wrong length");
        }
        return ledger.call(() -> {
            @Nullable ClientRecord known = ledger.confirmed.get(owner.name());
            if (isUpdate) {
                return identity(requireSame(known, owner, origin));
            }
            if (known != null) {
                boolean isSamePrincipal = known.principal.equals(origin.principal());
                if (isSamePrincipal && known.owner.equals(owner)) {
                    return identity(known);
                }
                if (!isSamePrincipal) {
                    if (known.hasState() && !ledger.isExpired(known)) {
                        throw new StateException(Status.CLID_INUSE, known + " has state of another principal");
                    }
                    ledger.remove(known);
                }
                // Otherwise it has restarted: what it had stays until its new client ID is confirmed.
            }
            @Nullable ClientRecord former = ledger.unconfirmed.get(owner.name());
            if (former != null) {
                ledger.remove(former);
            }
            return identity(ledger.addClient(owner, origin));
        });
    }

    /** The client to update, which must be confirmed and the same one. */
    private static ClientRecord requireSame(@Nullable ClientRecord known, ClientOwner owner, CallOrigin origin)
            throws StateException {
        if (known == null) {
            throw new StateException(Status.NOENT, "no confirmed client to update");
        }
        if (!known.owner.equals(owner)) {
            throw new StateException(Status.NOT_SAME, known + " has another verifier");
        }
        if (!known.principal.equals(origin.principal())) {
            throw new StateException(Status.PERM, known + " has another principal");
        }
        return known;
    }

    private static ClientIdentity identity(ClientRecord client) {
        return new ClientIdentity(client.id, client.sequence + 1, client.isConfirmed);
    }

    /**
     * CREATE_SESSION (RFC 8881 section 18.36). It confirms the client ID, which only the principal of EXCHANGE_ID can, and removes the former one of the same
     * client. A call that is sent again gets the first one's result. One that failed changed nothing, and is performed again. The connection is bound to the
     * fore channel.
     *
     * @throws StateException STALE_CLIENTID, CLID_INUSE, SEQ_MISORDERED; TOOSMALL if an attribute is too small; NOSPC if the client has too many
     *     sessions; DELAY if all clients, or those of its address, have too many
     */
    public CreatedSession createSession(SessionRequest request, CallOrigin origin) throws StateException {
        return ledger.call(() -> {
            ClientRecord client = ledger.client(request.clientId());
            if (request.sequence() == client.sequence && client.lastCreated.isPresent()) {
                return client.lastCreated.get();
            }
            if (request.sequence() != client.sequence + 1) {
                throw new StateException(Status.SEQ_MISORDERED, "CREATE_SESSION of " + client + " is out of order");
            }
            if (!client.isConfirmed && !client.principal.equals(origin.principal())) {
                throw new StateException(Status.CLID_INUSE, client + " is of another principal");
            }
            if (!request.fore().isAtLeast(LEAST_FORE) || !request.back().isAtLeast(LEAST_BACK)) {
                throw new StateException(
                        Status.TOOSMALL, "a session of " + client + " would be too small for SEQUENCE");
            }
            @Nullable ClientRecord former = client.isConfirmed ? null : ledger.confirmed.get(client.owner.name());
            if (former != null) {
                ledger.grace.forget(former);
            }
            client.renewed = ledger.now();
            Session session = ledger.addSession(
                    client,
                    request.fore().cappedBy(ledger.limits.fore()),
                    request.back().cappedBy(ledger.limits.back()));
            confirm(client);
            ledger.bind(session, origin.connection());
            CreatedSession created = new CreatedSession(session.id, request.sequence(), session.fore, session.back);
            client.sequence = request.sequence();
            client.lastCreated = Optional.of(created);
            return created;
        });
    }

    private void confirm(ClientRecord client) throws StateException {
        if (!client.isConfirmed) {
            @Nullable ClientRecord former = ledger.confirmed.get(client.owner.name());
            if (former != null) {
                ledger.remove(former);
            }
            ledger.unconfirmed.remove(client.owner.name());
            ledger.confirmed.put(client.owner.name(), client);
            client.isConfirmed = true;
        }
    }

    /**
     * DESTROY_CLIENTID (RFC 8881 section 18.50).
     *
     * @throws StateException CLIENTID_BUSY if the client has sessions or state; STALE_CLIENTID
     */
    public void destroy(long clientId) throws StateException {
        ledger.run(() -> {
            ClientRecord client = ledger.client(clientId);
            if (client.hasState()) {
                throw new StateException(Status.CLIENTID_BUSY, client + " has sessions or state");
            }
            ledger.remove(client);
        });
    }

    /**
     * RECLAIM_COMPLETE for all file systems (RFC 8881 section 18.51). Only then may the client open files.
     *
     * @throws StateException COMPLETE_ALREADY; STALE_CLIENTID
     */
    public void reclaimComplete(long clientId) throws StateException {
        synchronized (ledger) {
            ClientRecord client = ledger.client(clientId);
            if (client.hasReclaimed) {
                throw new StateException(Status.COMPLETE_ALREADY, client + " has sent RECLAIM_COMPLETE before");
            }
            client.hasReclaimed = true;
            ledger.grace.complete(client);
        }
    }
}
