// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.ProtectionDomain.Registration;
import org.jspecify.annotations.Nullable;

/**
 * Exposes a range by binding a type 2 memory window to it, and revokes by invalidating the window. Both are work requests on the connection's
 * send queue, so no system calls are needed. The memory is registered once, without remote rights, in a domain that all connections of the
 * device share.
 *
 * <p>Security: a window is bound to one queue pair, which alone can use it, with the range's exact bounds and the one right that was
 * granted. The bind runs before the Send that advertises the key. Each bind changes 8 bits of the key, so an STag of an earlier call is
 * invalid until these bits repeat, after 256 binds of the window within the same connection. A peer's Send with Invalidate ends the
 * access as a local invalidation does, and is reported. Where a device does not hold a peer to the window's bounds, as rxe does not, the
 * window is bound to a registration of the range alone, unless the range is the whole region.
 */
public final class MemoryWindows extends RemoteAccessStrategy {
    private static final System.Logger LOG = System.getLogger(MemoryWindows.class.getName());
    private static final int KEY_BITS = 0xff;

    private final boolean bounded;
    /** Used in turn, so that keys recur as late as possible. */
    private final Queue<Window> idle = new ConcurrentLinkedQueue<>();

    private final Map<Integer, Binding> bound = new HashMap<>();

    /**
     * Creates the windows of one connection.
     *
     * @param domain the domain that the device's connections share
     * @param bounded whether the device enforces a window's bounds
     */
    public MemoryWindows(ProtectionDomain domain, boolean bounded) {
        super(domain);
        this.bounded = bounded;
    }

    @Override
    public boolean reportsRemoteInvalidation() {
        return true;
    }

    @Override
    Grant grant(MemorySegment segment, RemoteAccess.Right right, WindowPosting posting) throws RdmaException {
        VerbsRegion region = VerbsRegion.of(segment);
        int rights = region.remoteRight(right);
        if (segment.length() == 0) {
            checkOpen();
            RemoteSegment nothing = region.advertised(segment, region.in(domain).remoteKey());
            return granted(new Grant(region, nothing, this::revoked));
        }
        Window window = idleWindow();
        int key = window.nextKey();
        Binding binding = keep(key, window, region, segment, posting);
        posting.bind(
                window.handle,
                key,
                binding.registration,
                region.address() + segment.offset(),
                segment.length(),
                rights);
        return granted(binding.grant);
    }

    private synchronized Window idleWindow() throws RdmaException {
        checkOpen();
        Window window = idle.poll();
        return window != null ? window : Window.allocate(domain);
    }

    /** If this throws, nothing has been kept, and the window is freed. */
    private synchronized Binding keep(
            int key, Window window, VerbsRegion region, MemorySegment segment, WindowPosting posting)
            throws RdmaException {
        boolean shared = bounded || segment.length() == region.length();
        Registration registration = null;
        boolean holds = false;
        boolean kept = false;
        try {
            checkOpen();
            Grant grant = new Grant(
                    region, region.advertised(segment, key), revoked -> posting.invalidate(key, () -> unbound(key)));
            registration = shared
                    ? region.in(domain)
                    : region.registerPart(
                            domain, segment.offset(), segment.length(), region.localRight() | Libibverbs.WINDOW_BIND);
            Binding binding = new Binding(window, registration, !shared, grant);
            registration.windowBound();
            holds = true;
            bound.put(key, binding);
            kept = true;
            return binding;
        } finally {
            if (!kept) {
                bound.remove(key);
                window.free();
                close(registration, holds, !shared);
            }
        }
    }

    private static void close(@Nullable Registration registration, boolean holds, boolean owns) {
        if (registration != null && holds) {
            registration.windowFreed();
        }
        if (registration != null && owns) {
            registration.close();
        }
    }

    @Override
    public boolean exposes(int key) {
        return find(key) != null;
    }

    /** If this side has begun to invalidate the key as well, the window is reused only after that completes. */
    @Override
    public void invalidated(int key) {
        Binding binding = find(key);
        if (binding != null && binding.grant.claim()) {
            unbound(key);
        }
    }

    private synchronized @Nullable Binding find(int key) {
        return bound.get(key);
    }

    private void unbound(int key) {
        Binding binding;
        synchronized (this) {
            binding = bound.get(key);
            if (binding != null) {
                idle.add(binding.window); // may throw; then the window stays bound until the connection ends
                bound.remove(key);
            }
        }
        if (binding != null) {
            freed(binding);
        }
    }

    private void freed(Binding binding) {
        close(binding.registration, true, binding.ownsRegistration);
        revoked(binding.grant);
    }

    /** Frees the windows first, because a device may refuse to destroy a queue pair that has windows. */
    @Override
    public void stop() {
        super.stop();
        synchronized (this) {
            bound.values().forEach(binding -> binding.window.free());
            idle.forEach(Window::free);
            idle.clear();
        }
    }

    @Override
    public void close() {
        List<Binding> left;
        synchronized (this) {
            left = new ArrayList<>(bound.values());
            bound.clear();
        }
        left.forEach(this::freed);
        revokeAll();
    }

    /** A bound window; {@code ownsRegistration} says whether its registration was made for it and is closed with it. */
    private record Binding(Window window, Registration registration, boolean ownsRegistration, Grant grant) {}

    /** A window with its current or last key. */
    private static final class Window {
        private final long handle;
        private int key;

        private Window(long handle, int key) {
            this.handle = handle;
            this.key = key;
        }

        static Window allocate(ProtectionDomain domain) throws RdmaException {
            int[] key = new int[1];
            try {
                return new Window(Libibverbs.allocateWindow(domain.handle(), key), key[0]);
            } catch (NativeException e) {
                throw new RdmaException(Reason.NO_RESOURCES, "no memory window: " + e.getMessage(), e);
            }
        }

        /** The next key: the window's index, with the consumer's 8 bits incremented. */
        int nextKey() {
            key = (key & ~KEY_BITS) | ((key + 1) & KEY_BITS);
            return key;
        }

        void free() {
            try {
                Libibverbs.deallocateWindow(handle);
            } catch (NativeException e) {
                LOG.log(Level.WARNING, "a memory window stays allocated", e);
            }
        }
    }
}
