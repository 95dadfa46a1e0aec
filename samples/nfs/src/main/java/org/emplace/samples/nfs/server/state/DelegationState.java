// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.time.Instant;
import org.emplace.samples.nfs.server.state.Opens.Share;
import org.jspecify.annotations.Nullable;

/** A delegation: a promise to a client that others do not change the file, or do not even read it, before the server has recalled it. */
final class DelegationState extends HeldState {
    final boolean isWrite;

    /** The filehandle by which the client got it. */
    final Opaque handle;

    private final FileState file;

    /** Since when it has kept others waiting. */
    @Nullable
    Instant recalled;

    /** Whether its client has been told, or will be as soon as a slot of a back channel is free. */
    boolean isRecalling;

    DelegationState(long number, ClientRecord client, FileState file, boolean isWrite, Opaque handle) {
        super(number, client);
        this.file = file;
        this.isWrite = isWrite;
        this.handle = handle;
    }

    @Override
    FileState file() {
        return file;
    }

    @Override
    boolean permits(int access) {
        return isWrite || access == Share.READ;
    }

    /** Whether others than its client cannot open the file with a share while it is held (RFC 8881 section 10.4). */
    boolean conflictsWith(long clientId, Share share) {
        return client.id != clientId
                && (isWrite || (share.access() & Share.WRITE) != 0 || (share.deny() & Share.READ) != 0);
    }
}
