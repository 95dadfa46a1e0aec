// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.provider.RdmaCounters;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;

/**
 * A protection domain: its queue pairs can use the memory registered in it, and no other. If the device fails to deregister memory, that memory stays
 * registered, counted and reachable until the domain is closed, which tries again. Safe for use by several threads.
 */
public final class ProtectionDomain implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ProtectionDomain.class.getName());

    private static final int EPERM = 1;
    private static final int EAGAIN = 11;
    private static final int ENOMEM = 12;
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LOCKED_MEMORY = "Max locked memory";

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final String name;
    private final long handle;
    private final int windowRight;
    private final RdmaCounters counters;
    private final Set<VerbsRegion> regions = ConcurrentHashMap.newKeySet();
    private final Set<Registration> registrations = new HashSet<>();
    private boolean closed;

    private ProtectionDomain(String name, long handle, int windowRight, RdmaCounters counters) {
        this.name = name;
        this.handle = handle;
        this.windowRight = windowRight;
        this.counters = counters;
    }

    /**
     * Allocates a domain.
     *
     * @param device the device's native handle
     * @param name of the device, for messages
     * @param forWindows whether windows are to be bound to the regions
     * @throws RdmaException NO_RESOURCES if the device has no more domains
     */
    public static ProtectionDomain on(long device, String name, boolean forWindows, RdmaCounters counters)
            throws RdmaException {
        try {
            return new ProtectionDomain(
                    name, Libibverbs.allocateDomain(device), forWindows ? Libibverbs.WINDOW_BIND : 0, counters);
        } catch (NativeException e) {
            throw new RdmaException(Reason.NO_RESOURCES, name + ": no protection domain: " + e.getMessage(), e);
        }
    }

    /** The native handle, for queue pairs and windows. */
    public long handle() {
        return handle;
    }

    /**
     * Registers memory.
     *
     * @param direct stays reachable until it is deregistered
     * @param offset of the first byte, in bytes from index 0 of the buffer
     * @param length in bytes
     * @param rights {@link Libibverbs#LOCAL_WRITE} and the other rights, combined
     * @throws RdmaException NO_RESOURCES if the memory cannot be pinned, with the remedy; DISCONNECTED if the domain is closed
     */
    public synchronized Registration register(ByteBuffer direct, int offset, int length, int rights)
            throws RdmaException {
        if (closed) {
            throw new RdmaException(Reason.DISCONNECTED, name + ": the connection or device is gone");
        }
        Registration registration = counters.registering(length, () -> pin(direct, offset, length, rights));
        registrations.add(registration);
        return registration;
    }

    /** Registers a region for the domain's queue pairs; see {@link #register}. */
    Registration registerRegion(VerbsRegion region) throws RdmaException {
        Registration registration = register(region.bytes(), 0, region.length(), region.localRight() | windowRight);
        regions.add(region);
        return registration;
    }

    /** Removes a region that is closed. */
    void forget(VerbsRegion region) {
        regions.remove(region);
    }

    private Registration pin(ByteBuffer direct, int offset, int length, int rights) throws RdmaException {
        int[] keys = new int[2];
        try {
            long region = Libibverbs.register(handle, direct, offset, length, rights, keys);
            return new Registration(this, region, keys[0], keys[1], length);
        } catch (NativeException e) {
            throw new RdmaException(Reason.NO_RESOURCES, name + ": " + explain(e, length), e);
        }
    }

    /** Explains why memory could not be registered. The cause is nearly always the limit on locked memory, so the message names it and its remedies. */
    private static String explain(NativeException failure, int bytes) {
        String what = "cannot register " + bytes + " bytes (" + failure.getMessage() + ")";
        return switch (failure.errno()) {
            case EPERM, EAGAIN, ENOMEM ->
                what + "; this process may lock " + limit() + " in memory (RLIMIT_MEMLOCK)."
                        + " To raise that: 'ulimit -l unlimited', a memlock line in /etc/security/limits.conf, LimitMEMLOCK=infinity in a"
                        + " systemd unit, or docker run --ulimit memlock=-1";
            default -> what;
        };
    }

    private static String limit() {
        try {
            List<String> lines = Files.readAllLines(LIMITS);
            return lines.stream()
                    .filter(line -> line.startsWith(LOCKED_MEMORY))
                    .map(line ->
                            BLANKS.split(line.substring(LOCKED_MEMORY.length()).trim(), 2)[0])
                    .map(soft -> soft.equals("unlimited") ? "any amount" : soft + " bytes")
                    .findFirst()
                    .orElse("an unknown amount");
        } catch (IOException e) {
            return "an unknown amount";
        }
    }

    synchronized void deregister(Registration registration) {
        if (!registrations.contains(registration)) {
            return;
        }
        try {
            Libibverbs.deregister(registration.handle());
            registrations.remove(registration);
            counters.deregistered(registration.length());
        } catch (NativeException e) {
            LOG.log(Level.WARNING, name + ": " + registration.length() + " bytes stay registered, and in memory", e);
        }
    }

    /** Deregisters everything and frees the domain. Its queue pairs and windows must have been destroyed. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        regions.forEach(region -> region.forget(this));
        regions.clear();
        List.copyOf(registrations).forEach(this::deregister);
        try {
            Libibverbs.deallocateDomain(handle);
        } catch (NativeException e) {
            LOG.log(Level.WARNING, name + ": a protection domain stays allocated", e);
        }
    }

    /**
     * Memory registered in one protection domain. A device refuses to deregister memory that has bound windows, so closing takes effect when the last of
     * them has been freed.
     */
    public static final class Registration implements AutoCloseable {
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
         * @throws RdmaException DISCONNECTED if the memory has been deregistered meanwhile, or is about to be
         */
        public synchronized void windowBound() throws RdmaException {
            if (closed) {
                throw new RdmaException(RdmaException.Reason.DISCONNECTED, "the memory has been deregistered");
            }
            holders++;
        }

        /** Called when the window has been freed. */
        public void windowFreed() {
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
}
