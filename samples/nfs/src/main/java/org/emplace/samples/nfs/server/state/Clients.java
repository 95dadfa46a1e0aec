// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

/** The operations of client IDs, and the creation of sessions, which confirms them. */
@SuppressWarnings("DoNotCallSuggester")
public final class Clients {
    Clients() {}

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
     * @throws StateException CLID_INUSE, NOENT, NOT_SAME or PERM by these cases; INVAL if the name or verifier is too long; DELAY if there are too many clients
     */
    public ClientIdentity exchangeId(ClientOwner owner, boolean isUpdate, CallOrigin origin) throws StateException {
        throw new UnsupportedOperationException();
    }

    /**
     * CREATE_SESSION (RFC 8881 section 18.36). It confirms the client ID and removes the former one of the same client. A resent call gets the
     * first one's result or exception. The connection is bound to the fore channel.
     *
     * @throws StateException STALE_CLIENTID, CLID_INUSE, SEQ_MISORDERED; TOOSMALL if an attribute is too small; NOSPC if the client has too many
     *     sessions; DELAY if all clients together have too many
     */
    public CreatedSession createSession(SessionRequest request, CallOrigin origin) throws StateException {
        throw new UnsupportedOperationException();
    }

    /**
     * DESTROY_CLIENTID (RFC 8881 section 18.50).
     *
     * @throws StateException CLIENTID_BUSY if the client has sessions or state; STALE_CLIENTID
     */
    public void destroy(long clientId) throws StateException {
        throw new UnsupportedOperationException();
    }

    /**
     * RECLAIM_COMPLETE for all file systems (RFC 8881 section 18.51). Only then may the client open files.
     *
     * @throws StateException COMPLETE_ALREADY
     */
    public void reclaimComplete(long clientId) throws StateException {
        throw new UnsupportedOperationException();
    }
}
