// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.Optional;
import org.emplace.samples.nfs.server.state.StateException.Status;

/** The operations on stateids of any kind. */
@SuppressWarnings("DoNotCallSuggester")
public final class StateIds {
    StateIds() {}

    /** TEST_STATEID of one (RFC 8881 section 18.48): what is wrong with it, if anything. */
    public Optional<Status> test(long clientId, StateId stateId) {
        throw new UnsupportedOperationException();
    }

    /**
     * FREE_STATEID (RFC 8881 section 18.38): forgets a lock owner without locks, or state that was revoked.
     *
     * @throws StateException LOCKS_HELD if it is an open or has locks; BAD_STATEID, OLD_STATEID
     */
    public void free(long clientId, StateId stateId) throws StateException {
        throw new UnsupportedOperationException();
    }
}
