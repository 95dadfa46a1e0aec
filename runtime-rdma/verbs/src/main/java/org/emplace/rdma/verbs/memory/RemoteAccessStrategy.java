// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.memory.ProtectionDomain.Registration;

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
    private final Set<Grant> held = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

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
     *     connection has ended
     * @throws IllegalStateException if the region is closed
     */
    public final Grant expose(MemorySegment segment, RemoteAccess.Right right, WindowPosting posting)
            throws RdmaException {
        try {
            return grant(segment, right, posting);
        } catch (RdmaException e) {
            if (!VerbsRegion.of(segment).isOpen()) {
                throw new IllegalStateException("deregistered memory cannot be exposed", e);
            }
            throw e;
        }
    }

    /** As {@link #expose}, but throws DISCONNECTED if the region is closed. */
    abstract Grant grant(MemorySegment segment, RemoteAccess.Right right, WindowPosting posting) throws RdmaException;

    /** Whether the peer can invalidate this key now. */
    public boolean exposes(int key) {
        return false;
    }

    /** On the loop: the peer has invalidated a key with a Send with Invalidate. */
    public void invalidated(int key) {}

    /** @throws RdmaException DISCONNECTED if the connection has ended */
    final void checkOpen() throws RdmaException {
        if (over) {
            throw new RdmaException(Reason.DISCONNECTED, "memory exposed to a peer that is gone");
        }
    }

    /** Begins a grant. If the connection has ended in the meantime, the grant ends too. */
    final Grant granted(Grant grant) {
        held.add(grant);
        // Closing the region revokes the grant from here on.
        grant.region.granted(grant);
        if (over) {
            revoked(grant);
        }
        return grant;
    }

    /** Ends a grant: the peer has lost its access. */
    final void revoked(Grant grant) {
        held.remove(grant);
        grant.complete();
    }

    /** On the loop: stops granting: a grant that begins after this ends at once. The queue pair has stopped and is destroyed next. */
    public void stop() {
        over = true;
    }

    /** On the loop: the queue pair has been destroyed, and with it all access. Ends all grants. Frees the domain if it belongs to the connection. */
    public void close() {
        domain.close();
        revokeAll();
    }

    final void revokeAll() {
        held.forEach(this::revoked);
    }

    /** Access granted to one connection's peer; the strategy determines how it is revoked. Safe for use by several threads. */
    public static final class Grant implements RemoteAccess {
        private final VerbsRegion region;
        private final RemoteSegment advertised;
        private final Consumer<Grant> revocation;
        private final AtomicBoolean claimed = new AtomicBoolean();
        private final CompletableFuture<Void> fence = new CompletableFuture<>();

        /**
         * @param revocation run once, by the thread that revokes; it leads to a call of {@link RemoteAccessStrategy#revoked}
         */
        Grant(VerbsRegion region, RemoteSegment advertised, Consumer<Grant> revocation) {
            this.region = region;
            this.advertised = advertised;
            this.revocation = revocation;
        }

        @Override
        public RemoteSegment advertised() {
            return advertised;
        }

        @Override
        public CompletionStage<Void> revoke() {
            if (claim()) {
                revocation.accept(this);
            }
            return fence.isDone() ? FENCED : fence.minimalCompletionStage();
        }

        /** Whether the caller is the first to revoke the access, and must do so. */
        boolean claim() {
            return claimed.compareAndSet(false, true);
        }

        /** Runs {@code action} when the peer has lost its access, whoever revoked it. */
        public void whenRevoked(Runnable action) {
            CompletableFuture<Void> unused = fence.thenRun(action);
        }

        /** Completes the fence: the peer has lost its access. Idempotent. */
        private void complete() {
            claimed.set(true);
            region.revoked(this);
            fence.complete(null);
        }
    }

    /**
     * Registers each range while it is exposed, in a protection domain of this connection's queue pair alone. Works with every device, but costs
     * two system calls per grant.
     *
     * <p>Security: the registration has the exact bounds of the range and the one right that was granted, so the STag gives no access beyond them.
     * Other connections' queue pairs are not in the domain, so no other peer can use it. Revoking deregisters the range, after which the STag is
     * invalid. The device chooses STags; a later registration may get the same index with another key.
     */
    public static final class PerCallRegistration extends RemoteAccessStrategy {
        /** @param domain of this connection alone; closed with it */
        public PerCallRegistration(ProtectionDomain domain) {
            super(domain);
        }

        @Override
        Grant grant(MemorySegment segment, RemoteAccess.Right right, WindowPosting posting) throws RdmaException {
            checkOpen();
            VerbsRegion region = VerbsRegion.of(segment);
            Registration registration = register(region, segment, right);
            RemoteSegment advertised = region.advertised(segment, registration.remoteKey());
            return granted(new Grant(region, advertised, grant -> {
                if (segment.length() > 0) {
                    registration.close();
                }
                revoked(grant);
            }));
        }

        /** Registers a range. An empty range cannot be registered; the region's own key is used for it, since that gives the peer no right. */
        private Registration register(VerbsRegion region, MemorySegment segment, RemoteAccess.Right right)
                throws RdmaException {
            if (segment.length() == 0) {
                return region.in(domain);
            }
            return region.registerPart(domain, segment.offset(), segment.length(), region.registrationRight(right));
        }
    }

    /**
     * Registers a region once for a connection, at the first grant of any part of it, and leaves it open to the peer until the connection ends or
     * the region is closed. The fastest and the least safe strategy; used only if it is configured.
     *
     * <p>Security: <b>revoking does not end the access</b>. The connection's peer can read and write all of a region of which it was granted any
     * part, at any time, also after its call has completed and the memory is in use for another purpose: RFC 8166 section 8.1 warns of this.
     * Other connections' peers have no access, because the domain belongs to this connection alone. Use it only with peers that are trusted like
     * this process.
     */
    public static final class WholeConnection extends RemoteAccessStrategy {
        private final Map<VerbsRegion, Registration> exposed = new HashMap<>();

        /** @param domain of this connection alone; closed with it */
        public WholeConnection(ProtectionDomain domain) {
            super(domain);
        }

        @Override
        Grant grant(MemorySegment segment, RemoteAccess.Right right, WindowPosting posting) throws RdmaException {
            checkOpen();
            VerbsRegion region = VerbsRegion.of(segment);
            int wanted = region.registrationRight(right);
            Registration registration = segment.length() == 0 ? region.in(domain) : expose(region, wanted);
            return granted(new Grant(region, region.advertised(segment, registration.remoteKey()), this::revoked));
        }

        private synchronized Registration expose(VerbsRegion region, int wanted) throws RdmaException {
            Registration known = exposed.get(region);
            if (known != null) {
                return known;
            }
            int rights = region.bytes().isReadOnly()
                    ? wanted
                    : wanted | Libibverbs.LOCAL_WRITE | Libibverbs.REMOTE_READ | Libibverbs.REMOTE_WRITE;
            Registration registration = region.registerPart(domain, 0, region.length(), rights);
            exposed.put(region, registration);
            // Closing the region revokes this grant of the whole. The peer is told only of the other grants.
            RemoteSegment whole = new RemoteSegment(registration.remoteKey(), region.address(), region.length());
            granted(new Grant(region, whole, granted -> {
                deregister(region);
                revoked(granted);
            }));
            return registration;
        }

        private synchronized void deregister(VerbsRegion region) {
            Registration registration = exposed.remove(region);
            if (registration != null) {
                registration.close();
            }
        }
    }
}
