// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

/** The locks of a lock owner that it acquired under an open. */
final class LockState extends HeldState {
    final OpenState open;
    final Opaque owner;
    final ByteRanges ranges = new ByteRanges();

    LockState(long number, OpenState open, Opaque owner) {
        super(number, open.client);
        this.open = open;
        this.owner = owner;
    }

    @Override
    OpenState open() {
        return open;
    }

    /** Whether its locks are those of an owner, under whatever open. */
    boolean isOf(long clientId, Opaque other) {
        return client.id == clientId && owner.equals(other);
    }
}
