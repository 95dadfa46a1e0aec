// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

/**
 * Memory registered in one protection domain. A device refuses to deregister memory that has bound windows, so closing takes effect when the last of
 * them has been freed.
 */
public final class Registration implements AutoCloseable {
    private final ProtectionDomain domain;
    private final long handle;
    private final int localKey;
    private final int remoteKey;
    private final int length;
    private int holders;
    private boolean closed;

    Registration(ProtectionDomain domain, long handle, int localKey, int remoteKey, int length) {
        this.domain = domain;
        this.handle = handle;
        this.localKey = localKey;
        this.remoteKey = remoteKey;
        this.length = length;
    }

    /** The native handle. */
    public long handle() {
        return handle;
    }

    /** The key with which work requests of the domain's queue pairs name the memory. */
    public int localKey() {
        return localKey;
    }

    /** The key with which a peer names the memory; of use only if remote rights were given. */
    public int remoteKey() {
        return remoteKey;
    }

    int length() {
        return length;
    }

    /**
     * Called before a window is bound to the memory.
     *
     * @throws IllegalStateException if the memory has been closed, so that it may have been deregistered
     */
    public synchronized void retain() {
        if (closed) {
            throw new IllegalStateException("deregistered memory cannot be exposed");
        }
        holders++;
    }

    /** Called when the window has been freed. */
    public void release() {
        boolean last;
        synchronized (this) {
            holders--;
            last = closed && holders == 0;
        }
        if (last) {
            domain.deregister(this);
        }
    }

    /** Deregisters the memory, or if windows are bound to it, when the last is freed. After deregistration no peer can access it. Idempotent. */
    @Override
    public void close() {
        boolean now;
        synchronized (this) {
            now = !closed && holders == 0;
            closed = true;
        }
        if (now) {
            domain.deregister(this);
        }
    }
}
