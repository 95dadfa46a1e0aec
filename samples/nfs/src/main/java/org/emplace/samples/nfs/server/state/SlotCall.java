// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import org.emplace.samples.nfs.server.state.Session.Slot;
import org.emplace.samples.nfs.server.state.Sessions.SequenceRequest;
import org.emplace.samples.nfs.server.state.Sessions.SequenceResult;
import org.emplace.samples.nfs.server.state.Sessions.Sequenced;
import org.jspecify.annotations.Nullable;

/**
 * A request that occupies a slot until it is finished, which must happen exactly once, whatever fails. The client's lease does not expire before.
 */
public final class SlotCall implements Sequenced {
    private final Ledger ledger;
    private final Session session;
    private final Slot slot;
    private final SequenceRequest request;
    private final SequenceResult result;

    /** Occupies the slot. */
    SlotCall(Ledger ledger, Session session, Slot slot, SequenceRequest request) {
        this.ledger = ledger;
        this.session = session;
        this.slot = slot;
        this.request = request;
        this.result = session.sequenceResult(ledger.grace);
        slot.call = this;
        session.calls++;
        session.client.calls++;
    }

    int sequence() {
        return request.sequence();
    }

    /** Whose call it is: what the operations of state are told. */
    public long clientId() {
        return session.client.id;
    }

    /** Its session. */
    public SessionId session() {
        return session.id;
    }

    /** The attributes of the session's fore channel: how long the reply may be. */
    public ChannelAttributes attributes() {
        return session.fore;
    }

    @Override
    public SequenceResult result() {
        return result;
    }

    /**
     * Ends the call and keeps its reply for a retry.
     *
     * @param reply the reply without transport framing and chunks, of at most {@link ChannelAttributes#maxCachedResponse} bytes; the state never
     *     looks into it
     */
    public void finish(Object reply) {
        end(reply);
    }

    /** Ends the call. A retry is told that there is no reply any more. */
    public void finishUncached() {
        end(null);
    }

    private void end(@Nullable Object reply) {
        synchronized (ledger) {
            leave();
            slot.sequence = request.sequence();
            slot.fingerprint = request.fingerprint();
            slot.reply = reply;
        }
    }

    /**
     * Ends the call as if it had not come, because SEQUENCE itself fails: with REP_TOO_BIG or REP_TOO_BIG_TO_CACHE, for example. Nothing of the
     * COMPOUND may have been performed.
     */
    public void withdraw() {
        synchronized (ledger) {
            leave();
        }
    }

    private void leave() {
        if (slot.call != this) {
            throw new IllegalStateException("the call has ended before");
        }
        slot.call = null;
        session.calls--;
        session.client.calls--;
        session.client.renewed = ledger.now();
    }
}
