// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

/** What a stateid names. */
abstract sealed class HeldState permits OpenState, LockState {
    final long number;
    final Client client;

    /** Of the latest stateid. Never 0, which means the latest one in a request. */
    int seqid;

    /** Others have got what it held. */
    boolean isRevoked;

    HeldState(long number, Client client) {
        this.number = number;
        this.client = client;
    }

    /** The open itself, or that under which locks were acquired. */
    abstract OpenState open();

    OpenFile file() {
        return open().file;
    }
}
