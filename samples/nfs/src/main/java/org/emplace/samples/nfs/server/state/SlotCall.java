// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import org.emplace.samples.nfs.server.state.Sessions.SequenceResult;
import org.emplace.samples.nfs.server.state.Sessions.Sequenced;

/**
 * A request that occupies a slot until it is finished, which must happen exactly once, whatever fails. The client's lease does not expire before.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class SlotCall implements Sequenced {
    SlotCall() {}

    /** Whose call it is: what the operations of state are told. */
    public long clientId() {
        throw new UnsupportedOperationException();
    }

    /** Its session. */
    public SessionId session() {
        throw new UnsupportedOperationException();
    }

    /** The attributes of the session's fore channel: how long the reply may be. */
    public ChannelAttributes attributes() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SequenceResult result() {
        throw new UnsupportedOperationException();
    }

    /**
     * Ends the call and keeps its reply for a retry.
     *
     * @param reply the reply without transport framing and chunks, of at most {@link ChannelAttributes#maxCachedResponse} bytes; the state never
     *     looks into it
     */
    public void finish(Object reply) {
        throw new UnsupportedOperationException();
    }

    /** Ends the call. A retry is told that there is no reply any more. */
    public void finishUncached() {
        throw new UnsupportedOperationException();
    }

    /**
     * Ends the call as if it had not come, because SEQUENCE itself fails: with REP_TOO_BIG or REP_TOO_BIG_TO_CACHE, for example. Nothing of the
     * COMPOUND may have been performed.
     */
    public void withdraw() {
        throw new UnsupportedOperationException();
    }
}
