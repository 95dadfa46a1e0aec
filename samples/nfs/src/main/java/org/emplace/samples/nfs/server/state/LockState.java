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
    FileState file() {
        return open.file;
    }

    @Override
    boolean permits(int access) {
        return open.permits(access);
    }

    @Override
    boolean isUnder(OpenState other) {
        return open == other;
    }

    /** Whether its locks are those of an owner, under whatever open. */
    boolean isOf(long clientId, Opaque other) {
        return client.id == clientId && owner.equals(other);
    }
}
