// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.Optional;
import org.emplace.samples.nfs.server.state.StateException.Status;

/** The operations on stateids of any kind. */
public final class StateIds {
    private final Ledger ledger;

    StateIds(Ledger ledger) {
        this.ledger = ledger;
    }

    /** TEST_STATEID of one (RFC 8881 section 18.48): what is wrong with it, if anything. */
    public Optional<Status> test(long clientId, StateId stateId) {
        synchronized (ledger) {
            try {
                ledger.requireCurrent(ledger.find(clientId, stateId), stateId);
                return Optional.empty();
            } catch (StateException e) {
                return Optional.of(e.status());
            }
        }
    }

    /**
     * FREE_STATEID (RFC 8881 section 18.38): forgets a lock owner without locks, or state that was revoked.
     *
     * @throws StateException LOCKS_HELD if it is an open or a delegation, or has locks; BAD_STATEID, OLD_STATEID
     */
    public void free(long clientId, StateId stateId) throws StateException {
        ledger.run(() -> {
            HeldState state = ledger.find(clientId, stateId);
            if (!state.isRevoked) {
                ledger.requireCurrent(state, stateId);
                if (!(state instanceof LockState lock) || lock.ranges.size() > 0) {
                    throw new StateException(Status.LOCKS_HELD, "the state is in use");
                }
            }
            ClientRecord client = state.client;
            if (state.isRevoked && client.allRevoked() == 1 && client.states.size() > 1 && client.hasReclaimed) {
                // It knows what it has lost, so it will not reclaim that.
                ledger.grace.requireRecorded(client);
            }
            ledger.release(state);
        });
    }
}
