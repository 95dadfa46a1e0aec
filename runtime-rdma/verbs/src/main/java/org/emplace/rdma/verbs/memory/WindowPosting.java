// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

/** The work requests that memory windows need, posted on the send queue of the queue pair that they are for. */
public interface WindowPosting {

    /**
     * Binds a window, before every work request that is posted later.
     *
     * @param window its native handle
     * @param key its new remote key
     * @param registration of the memory, with the right to bind windows
     * @param address native, of the range's first byte
     * @param rights of the peer
     */
    void bind(long window, int key, Registration registration, long address, int length, int rights);

    /**
     * Invalidates a window's key.
     *
     * @param invalidated run on the loop when the peer has no access any more; not run where the queue pair ends before
     */
    void invalidate(int key, Runnable invalidated);
}
