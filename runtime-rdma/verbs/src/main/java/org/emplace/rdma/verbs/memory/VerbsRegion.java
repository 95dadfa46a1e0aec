// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.memory.ProtectionDomain.Registration;

/**
 * Registered memory of a provider. A local key is valid in one protection domain, and a provider has several. So a region is registered in a domain
 * when a queue pair of that domain first uses it. None of these registrations gives a peer any right.
 */
public final class VerbsRegion implements MemoryRegion {
    private final ByteBuffer bytes;
    private final long address;
    private final Map<ProtectionDomain, Registration> registrations = new ConcurrentHashMap<>();
    private final Set<RemoteAccess> grants = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Creates a region that is not registered yet.
     *
     * @param direct the bytes from its position to its limit
     */
    public VerbsRegion(ByteBuffer direct) {
        bytes = direct.slice();
        address = Libibverbs.address(bytes);
    }

    @Override
    public ByteBuffer buffer() {
        return bytes.duplicate();
    }

    @Override
    public int length() {
        return bytes.capacity();
    }

    /** The native address of the first byte. */
    public long address() {
        return address;
    }

    /** The advertisement of a segment that a peer may access with a key. */
    RemoteSegment advertised(MemorySegment segment, int key) {
        return new RemoteSegment(key, address + segment.offset(), segment.length());
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    /** The region's bytes, to be registered or bound for a grant. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** The right of a domain's own queue pairs: no right to write if the buffer is read-only, since its memory may be mapped read-only. */
    int localRight() {
        return bytes.isReadOnly() ? 0 : Libibverbs.LOCAL_WRITE;
    }

    /**
     * A peer's right to this memory, for a window.
     *
     * @throws IllegalArgumentException if the peer is to write to a read-only region
     */
    int remoteRight(RemoteAccess.Right right) {
        if (right == RemoteAccess.Right.REMOTE_READ) {
            return Libibverbs.REMOTE_READ;
        }
        if (bytes.isReadOnly()) {
            throw new IllegalArgumentException("a peer cannot write to read-only memory");
        }
        return Libibverbs.REMOTE_WRITE;
    }

    /** As {@link #remoteRight}, for a registration: memory that a peer may write must be writable locally too. */
    int registrationRight(RemoteAccess.Right right) {
        int remote = remoteRight(right);
        return remote == Libibverbs.REMOTE_WRITE ? remote | Libibverbs.LOCAL_WRITE : remote;
    }

    /**
     * The registration of this memory in a domain; made at the first call.
     *
     * @throws RdmaException NO_RESOURCES if the memory cannot be pinned; DISCONNECTED if the region or the domain is closed
     */
    public Registration in(ProtectionDomain domain) throws RdmaException {
        Registration known = registrations.get(domain);
        return known != null && !closed ? known : register(domain);
    }

    /**
     * Registers a part of the memory with rights of its own. The caller closes the registration; closing the domain does too.
     *
     * @throws RdmaException see {@link #in}
     */
    public Registration registerPart(ProtectionDomain domain, int offset, int length, int rights) throws RdmaException {
        requireOpen();
        return domain.register(bytes, offset, length, rights);
    }

    private synchronized Registration register(ProtectionDomain domain) throws RdmaException {
        requireOpen();
        Registration known = registrations.get(domain);
        if (known == null) {
            known = domain.registerRegion(this);
            registrations.put(domain, known);
        }
        return known;
    }

    /** Throws DISCONNECTED, because work that names a closed region ends its connection. Exposing a closed region throws another exception. */
    private void requireOpen() throws RdmaException {
        if (closed) {
            throw new RdmaException(Reason.DISCONNECTED, "the memory has been deregistered");
        }
    }

    /** Adds a grant of access to a part of the region; closing the region revokes it. */
    void granted(RemoteAccess access) {
        grants.add(access);
        if (closed) {
            revoke(access);
        }
    }

    /** Removes a grant that has ended. */
    void revoked(RemoteAccess access) {
        grants.remove(access);
    }

    /**
     * Deregisters the memory in a domain although posted work requests may still name it, so that the device can no longer access it. The next use
     * registers it again, with new keys. Requests of the domain's other queue pairs that were posted with the old keys end in error.
     */
    public void withdrawFrom(ProtectionDomain domain) {
        Registration withdrawn;
        synchronized (this) {
            withdrawn = registrations.remove(domain);
        }
        if (withdrawn != null) {
            withdrawn.close();
        }
    }

    /** Removes the registration in a domain that is closed. */
    void forget(ProtectionDomain domain) {
        registrations.remove(domain);
    }

    @Override
    public void close() {
        List<Registration> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(registrations.values());
            registrations.keySet().forEach(domain -> domain.forget(this));
            registrations.clear();
        }
        grants.forEach(VerbsRegion::revoke);
        left.forEach(Registration::close);
    }

    /** Revokes without waiting for the fence: the garbage collector frees the memory only when it is no longer registered. */
    private static void revoke(RemoteAccess access) {
        CompletionStage<Void> unused = access.revoke();
    }

    /** The region of a segment. @throws IllegalArgumentException if another provider registered it */
    public static VerbsRegion of(MemorySegment segment) {
        if (segment.region() instanceof VerbsRegion region) {
            return region;
        }
        throw new IllegalArgumentException("memory registered with another provider than verbs");
    }

    /** The region of a segment that is to be written. @throws IllegalArgumentException as {@link #of}, or if the region is read-only */
    public static VerbsRegion ofSink(MemorySegment segment) {
        VerbsRegion region = of(segment);
        if (region.bytes.isReadOnly()) {
            throw new IllegalArgumentException("read-only memory cannot be a sink");
        }
        return region;
    }
}
