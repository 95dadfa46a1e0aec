// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.verbs.jni.Libibverbs;

/** What the device is told of a right of the peer. */
final class Rights {
    private Rights() {}

    /**
     * Of a window: the peer's right alone.
     *
     * @throws IllegalArgumentException if the peer is to write what may only be read
     */
    static int remote(VerbsRegion region, Right right) {
        if (right == Right.REMOTE_READ) {
            return Libibverbs.REMOTE_READ;
        }
        if (region.bytes().isReadOnly()) {
            throw new IllegalArgumentException("a peer cannot be let write to read-only memory");
        }
        return Libibverbs.REMOTE_WRITE;
    }

    /** Of a registration: what a peer may write has to be writable locally too. */
    static int local(VerbsRegion region, Right right) {
        int remote = remote(region, right);
        return remote == Libibverbs.REMOTE_WRITE ? remote | Libibverbs.LOCAL_WRITE : remote;
    }
}
