// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.emplace.samples.nfs.server.state.Callback.HeldAttributes;
import org.emplace.samples.nfs.server.state.Opens.Share;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.jspecify.annotations.Nullable;

/** A delegation: a promise to a client that others do not change the file, or do not even read it, before the server has recalled it. */
final class DelegationState extends HeldState {
    final boolean isWrite;

    /** The filehandle by which the client got it. */
    final Opaque handle;

    /** The change attribute that the file had when the client got it. */
    private final long change;

    private final FileState file;

    /** Since when it has kept others waiting. */
    @Nullable
    Instant recalled;

    /** Whether its client has been told, or will be as soon as a slot of a back channel is free. */
    boolean isRecalling;

    /** Its client's answer to a CB_GETATTR that has been sent. */
    @Nullable
    CompletableFuture<OptionalLong> inquiry;

    DelegationState(long number, ClientRecord client, FileState file, boolean isWrite, Opaque handle, long change) {
        super(number, client);
        this.file = file;
        this.isWrite = isWrite;
        this.handle = handle;
        this.change = change;
    }

    /** Ends the inquiry, if any. */
    void answer(Optional<HeldAttributes> answer) {
        if (inquiry != null) {
            if (answer.isPresent()) {
                boolean isModified = answer.get().change() != change;
                inquiry.complete(isModified ? OptionalLong.of(answer.get().size()) : OptionalLong.empty());
            } else {
                inquiry.completeExceptionally(new StateException(Status.DELAY, "the client does not tell attributes"));
            }
            inquiry = null;
        }
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
