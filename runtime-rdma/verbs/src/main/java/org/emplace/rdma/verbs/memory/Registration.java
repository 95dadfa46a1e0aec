// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

/**
 * Memory registered in one protection domain. A device refuses to deregister memory that has windows, so closing takes effect when the last window
 * bound to it has been freed.
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

    /** Its native handle. */
    public long handle() {
        return handle;
    }

    /** The key by which work requests of the domain's queue pairs name the memory. */
    public int localKey() {
        return localKey;
    }

    /** The key by which a peer names the memory, if remote rights were given. */
    public int remoteKey() {
        return remoteKey;
    }

    int length() {
        return length;
    }

    /** A window is going to be bound to it. */
    public synchronized void hold() {
        holders++;
    }

    /** The window has been freed. */
    public void letGo() {
        boolean last;
        synchronized (this) {
            holders--;
            last = closed && holders == 0;
        }
        if (last) {
            domain.deregister(this);
        }
    }

    /** Deregisters: once this returns no peer reaches the memory by it, unless a window holds it. Idempotent. */
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
