// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.verbs.memory.Grants.Grant;

/**
 * How one connection grants its peer access to memory, and revokes it. Each connection has its own object. Safe for use by several threads.
 *
 * <p>The threats are those of RFC 5042: a peer that uses an STag after its invalidation, outside its range or beyond its right, or an STag meant for
 * another peer. Each strategy states how it meets them. By default a peer can invalidate nothing, because only windows can be invalidated.
 */
public abstract class RemoteAccessStrategy {
    /** The strategy that connections use. */
    public enum Mode {
        /** {@link #WINDOWS} if the device supports them, else {@link #PER_CALL}. */
        AUTOMATIC,
        /** {@link PerCallRegistration}. */
        PER_CALL,
        /** {@link MemoryWindows}. */
        WINDOWS,
        /** {@link WholeConnection}; read its warning. */
        CONNECTION
    }

    /** Posts the work requests that memory windows need, on the send queue of the windows' queue pair. */
    public interface WindowPosting {

        /**
         * Binds a window. The bind runs before every work request that is posted later.
         *
         * @param window its native handle
         * @param key its new remote key
         * @param registration of the memory, with the right to bind windows
         * @param address the native address of the range's first byte
         * @param length of the range in bytes
         * @param rights the peer's rights
         */
        void bind(long window, int key, Registration registration, long address, int length, int rights);

        /**
         * Invalidates a window's key.
         *
         * @param invalidated run on the loop when the peer has lost its access; not run if the queue pair ends first
         */
        void invalidate(int key, Runnable invalidated);
    }

    final ProtectionDomain domain;
    final Grants grants = new Grants();

    RemoteAccessStrategy(ProtectionDomain domain) {
        this.domain = domain;
    }

    /** The protection domain of the connection's queue pair. */
    public final ProtectionDomain domain() {
        return domain;
    }

    /** Whether {@link #invalidated} is to be called when the peer sends with invalidate. */
    public boolean reportsRemoteInvalidation() {
        return false;
    }

    /**
     * Grants access.
     *
     * @param posting takes the work requests that the grant needs
     * @throws RdmaException NO_RESOURCES if the device has no more regions or windows, or the memory cannot be pinned; DISCONNECTED if the
     *     connection has ended or the region is closed
     */
    public abstract Grant expose(MemorySegment segment, RemoteAccess.Right right, WindowPosting posting)
            throws RdmaException;

    /** Whether the peer can invalidate this key now. */
    public boolean exposes(int key) {
        return false;
    }

    /** On the loop: the peer has invalidated a key with a Send with Invalidate. */
    public void invalidated(int key) {}

    /** On the loop: stops granting. The queue pair has stopped and is destroyed next. */
    public void stop() {
        grants.stop();
    }

    /** On the loop: the queue pair has been destroyed, and with it all access. Frees the domain if it belongs to the connection. */
    public void close() {
        domain.close();
        grants.endAll();
    }
}
