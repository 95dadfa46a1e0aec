// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rdma.verbs.jni.Libibverbs;

/**
 * Registered memory of a provider. A local key is good in one protection domain, and a provider serves several: so the memory is
 * registered with each domain when a queue pair of it first uses the region. None of these registrations gives a peer any right.
 */
public final class VerbsRegion implements MemoryRegion {
    private final ByteBuffer bytes;
    private final long address;
    private final Map<ProtectionDomain, Registration> registrations = new ConcurrentHashMap<>();
    private final Set<RemoteAccess> grants = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * A region that is registered nowhere yet.
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

    /** The native address of its first byte. */
    public long address() {
        return address;
    }

    /** The advertisement of a segment of this memory that a peer may access by a key. */
    RemoteSegment advertised(MemorySegment segment, int key) {
        return new RemoteSegment(key, address + segment.offset(), segment.length());
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    /** What a grant of remote access to the region registers or binds. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** The right of a domain's own queue pairs: no right to write if the memory may be mapped for reading only. */
    int localRight() {
        return bytes.isReadOnly() ? 0 : Libibverbs.LOCAL_WRITE;
    }

    /**
     * A peer's right to this memory, for a window.
     *
     * @throws IllegalArgumentException if the peer is to write what may only be read
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

    /** As {@link #remoteRight}, for a registration: what a peer may write has to be writable locally too. */
    int registrationRight(RemoteAccess.Right right) {
        int remote = remoteRight(right);
        return remote == Libibverbs.REMOTE_WRITE ? remote | Libibverbs.LOCAL_WRITE : remote;
    }

    /**
     * This memory in a domain; registered there at the first call.
     *
     * @throws RdmaException NO_RESOURCES if it cannot be pinned; DISCONNECTED if the region or the domain is closed
     */
    public Registration in(ProtectionDomain domain) throws RdmaException {
        Registration known = registrations.get(domain);
        return known != null && !closed ? known : register(domain);
    }

    /**
     * A registration of a part of the memory alone, with rights of its own; closed by the caller, or with the domain.
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

    /** Work that names a closed region ends its connection. Exposing one throws an exception of another kind. */
    private void requireOpen() throws RdmaException {
        if (closed) {
            throw new RdmaException(Reason.DISCONNECTED, "the memory has been deregistered");
        }
    }

    /** A peer has been granted access to a part of the region, until the region is closed at the latest. */
    void granted(RemoteAccess access) {
        grants.add(access);
        if (closed) {
            revoke(access);
        }
    }

    /** The peer no longer has that access. */
    void ended(RemoteAccess access) {
        grants.remove(access);
    }

    /**
     * Keeps the device from the memory although it still has work requests that name it: deregisters the memory in their domain. The next
     * use registers it anew, with other keys; what other queue pairs of the domain have posted with the old ones ends in error.
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

    /** A domain is closed, and with it the registration there. */
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

    /** Nobody waits for it. The garbage collector owns the memory, which stays as long as it is registered. */
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

    /** The region of a segment that is to be filled. @throws IllegalArgumentException as {@link #of}, or if it is read-only */
    public static VerbsRegion ofSink(MemorySegment segment) {
        VerbsRegion region = of(segment);
        if (region.bytes.isReadOnly()) {
            throw new IllegalArgumentException("read-only memory cannot be a sink");
        }
        return region;
    }
}
