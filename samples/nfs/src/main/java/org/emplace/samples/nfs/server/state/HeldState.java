// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

/** What a stateid names. */
abstract sealed class HeldState permits OpenState, LockState, DelegationState {
    final long number;
    final ClientRecord client;

    /** Of the latest stateid. Never 0, which means the latest one in a request. */
    int seqid;

    /** Others have got what it held. */
    boolean isRevoked;

    HeldState(long number, ClientRecord client) {
        this.number = number;
        this.client = client;
    }

    abstract FileState file();

    /** Whether it permits I/O: {@link Opens.Share#READ} or {@link Opens.Share#WRITE}. */
    abstract boolean permits(int access);

    /** Whether it is an open, or belongs to it. */
    boolean isUnder(OpenState open) {
        return this == open;
    }
}
