// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.verbs.memory.Grants.Grant;

/**
 * How one connection grants its peer access to memory, and revokes it. One object for each connection; safe for use by several threads.
 *
 * <p>The threats are those of RFC 5042: a peer that uses an STag after its time, beyond its range or its right, or one that was meant for another
 * peer. Each strategy says how it meets them. By default a peer can invalidate nothing, as only windows can be.
 */
public interface RemoteAccessStrategy {
    /** Which strategy connections get. */
    enum Mode {
        /** {@link #WINDOWS} if the device supports them, else {@link #PER_CALL}. */
        AUTOMATIC,
        /** {@link PerCallRegistration}. */
        PER_CALL,
        /** {@link MemoryWindows}. */
        WINDOWS,
        /** {@link WholeConnection}; read its warning. */
        CONNECTION
    }

    /** The work requests that memory windows need, posted on the send queue of the queue pair that they are for. */
    interface WindowPosting {

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

    /** The protection domain that the connection's queue pair belongs to. */
    ProtectionDomain domain();

    /** Whether {@link #invalidated} will be called where the peer sends with invalidate. */
    default boolean reportsRemoteInvalidation() {
        return false;
    }

    /**
     * Grants access.
     *
     * @param posting where work requests go that this takes
     * @throws RdmaException NO_RESOURCES if the device has no more regions or windows, or the memory cannot be pinned; DISCONNECTED if the
     *     connection or the region is over
     */
    Grant expose(MemorySegment segment, RemoteAccess.Right right, WindowPosting posting) throws RdmaException;

    /** Whether a key is one that the peer can invalidate now. */
    default boolean exposes(int key) {
        return false;
    }

    /** On the loop: the peer has invalidated a key by a Send with Invalidate. */
    default void invalidated(int key) {}

    /** On the loop: the queue pair has stopped and is about to be destroyed; nothing is granted any more. */
    void stop();

    /** On the loop: the queue pair has been destroyed. All access has ended, and the domain is freed if it is the connection's own. */
    void close();
}
