// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

/** What a stateid names. */
abstract sealed class HeldState permits OpenState, LockState {
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

    /** The open itself, or that under which locks were acquired. */
    abstract OpenState open();

    FileState file() {
        return open().file;
    }
}
