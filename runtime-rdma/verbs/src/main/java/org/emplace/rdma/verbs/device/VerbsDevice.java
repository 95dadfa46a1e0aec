// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.device;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.provider.RdmaCounters;
import org.emplace.rdma.verbs.event.CompletionHandler;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.ProtectionDomain;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.emplace.reactor.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * An open device: its completion channel, and the protection domain that its connections can share. Used on the loop unless a method says otherwise.
 */
public final class VerbsDevice {
    /** A queue pair or shared receive queue on a device: the loop polls its completion queues, and it receives the device's asynchronous events. */
    public interface User extends CompletionHandler.Source {

        /** Whether a native handle is that of this user's queue pair, completion queue or shared receive queue. */
        boolean owns(long handle);

        /** The device reports that the queue has failed, with the reason. The user ends at once. */
        void lost(Reason reason, String why);

        /** The stopped queue pair takes no more Receives from its shared receive queue, and those that it took have completed. */
        void receivesTaken();

        /** The device is being removed. The user ends at once and calls {@link #detach}. */
        void deviceRemoved();
    }

    private static final System.Logger LOG = System.getLogger(VerbsDevice.class.getName());
    /** {@code IBV_EVENT_DEVICE_FATAL}: the device has failed, or is being removed; both are treated as its removal. */
    private static final int DEVICE_FATAL = 8;
    /** {@code IBV_EVENT_QP_FATAL}. */
    private static final int QUEUE_PAIR_FATAL = 1;
    /** {@code IBV_EVENT_QP_REQ_ERR}. */
    private static final int QUEUE_PAIR_REQUEST_ERROR = 2;
    /** {@code IBV_EVENT_QP_ACCESS_ERR}. */
    private static final int QUEUE_PAIR_ACCESS_ERROR = 3;
    /** {@code IBV_EVENT_CQ_ERR}. */
    private static final int COMPLETION_QUEUE_ERROR = 0;
    /** {@code IBV_EVENT_SRQ_ERR}. */
    private static final int SHARED_RECEIVE_QUEUE_ERROR = 14;
    /** {@code IBV_EVENT_QP_LAST_WQE_REACHED}. */
    private static final int LAST_REQUEST_REACHED = 16;

    private final long handle;
    private final String name;
    private final DeviceCapabilities capabilities;
    private final CompletionHandler io;
    private final RdmaCounters counters;
    private final long channel;
    private final Map<Long, CompletionHandler.Source> queues = new HashMap<>();
    private final long[] ready = new long[64];
    private final Set<User> users = new LinkedHashSet<>();
    private final Consumer<VerbsDevice> whenGone;
    private boolean removed;
    private boolean closed;
    private volatile @Nullable ProtectionDomain shared;

    private VerbsDevice(
            long handle,
            String name,
            DeviceCapabilities capabilities,
            CompletionHandler io,
            RdmaCounters counters,
            long channel,
            Consumer<VerbsDevice> whenGone) {
        this.handle = handle;
        this.name = name;
        this.capabilities = capabilities;
        this.io = io;
        this.counters = counters;
        this.channel = channel;
        this.whenGone = whenGone;
    }

    /**
     * Prepares a device that has been opened.
     *
     * @param whenGone called when the device has been removed and has no users; it calls {@link #close}
     */
    static VerbsDevice open(long handle, CompletionHandler io, RdmaCounters counters, Consumer<VerbsDevice> whenGone)
            throws RdmaException {
        VerbsDevice device;
        try {
            device = new VerbsDevice(
                    handle,
                    Libibverbs.deviceName(handle),
                    DeviceCapabilities.of(handle),
                    io,
                    counters,
                    Libibverbs.createCompletionChannel(handle, io.poller()),
                    whenGone);
        } catch (NativeException e) {
            closeUnused(handle);
            throw new RdmaException(Reason.NO_RESOURCES, "a device cannot be used: " + e.getMessage(), e);
        }
        io.watch(device.channel, device::completionEvents);
        io.watch(handle, device::asynchronousEvents);
        LOG.log(Level.DEBUG, "{0}: opened, {1}", device.name, device.capabilities);
        return device;
    }

    /** Closes a device whose preparation failed. The poller watches the device from its opening on, and nothing else would take its events. */
    private static void closeUnused(long handle) {
        try {
            Libibverbs.closeDevice(handle, false);
        } catch (NativeException e) {
            LOG.log(Level.WARNING, "a device that cannot be used stays open", e);
        }
    }

    /** The native handle. */
    public long handle() {
        return handle;
    }

    /** The system's name for the device. */
    public String name() {
        return name;
    }

    /** The device's capabilities. */
    public DeviceCapabilities capabilities() {
        return capabilities;
    }

    /** What polls the completion queues. */
    public CompletionHandler io() {
        return io;
    }

    /** The loop that handles completions. */
    public EventLoop loop() {
        return io.loop();
    }

    /** The counters of the device's registrations and connections. */
    public RdmaCounters counters() {
        return counters;
    }

    /** Allocates a protection domain for one connection. */
    public ProtectionDomain newDomain() throws RdmaException {
        return ProtectionDomain.on(handle, name, false, counters);
    }

    /** The shared protection domain, to whose regions memory windows can be bound; allocated at the first call. */
    public ProtectionDomain sharedDomain() throws RdmaException {
        ProtectionDomain domain = shared;
        if (domain == null) {
            domain = ProtectionDomain.on(handle, name, true, counters);
            shared = domain;
        }
        return domain;
    }

    /** On any thread: registers a region in the shared domain, if there is one, so that a failure shows early. */
    void registerEarly(VerbsRegion region) throws RdmaException {
        ProtectionDomain domain = shared;
        if (domain == null) {
            return;
        }
        try {
            region.in(domain);
        } catch (RdmaException e) {
            if (e.reason() == Reason.NO_RESOURCES) {
                throw e;
            }
            LOG.log(Level.DEBUG, "{0} is gone, a region is not registered there", name);
        }
    }

    /** Creates a completion queue whose events activate {@code source}; it is polled into {@code completions}. Returns its handle. */
    public long createCompletionQueue(CompletionHandler.Source source, int entries, ByteBuffer completions)
            throws NativeException {
        long queue = Libibverbs.createCompletionQueue(handle, channel, entries, completions);
        queues.put(queue, source);
        return queue;
    }

    /** Destroys a completion queue. */
    public void destroyCompletionQueue(long queue) throws NativeException {
        CompletionHandler.Source source = queues.remove(queue);
        if (source != null) {
            io.forget(source);
        }
        Libibverbs.destroyCompletionQueue(queue);
    }

    /** Creates a queue pair, as {@link Libibverbs#createQueuePair} does, without inline data if the device does not support as many bytes. */
    public long createQueuePair(
            long id, long domain, long sendCompletions, long receiveCompletions, long shared, int[] capacities)
            throws NativeException {
        int[] wanted = capacities.clone();
        try {
            return Libibverbs.createQueuePair(id, domain, sendCompletions, receiveCompletions, shared, capacities);
        } catch (NativeException e) {
            // Devices do not report how many inline bytes they support; 0 always works.
            wanted[4] = 0;
            System.arraycopy(wanted, 0, capacities, 0, wanted.length);
            return Libibverbs.createQueuePair(id, domain, sendCompletions, receiveCompletions, shared, capacities);
        }
    }

    /** Adds a user. */
    public void attach(User user) {
        users.add(user);
    }

    /** Removes a user that has destroyed all its native objects. */
    public void detach(User user) {
        users.remove(user);
        if (removed && users.isEmpty()) {
            whenGone.accept(this);
        }
    }

    /** Called when the device is being removed: ends its users. The removal waits until nothing uses the device. */
    public void remove() {
        if (!removed) {
            removed = true;
            LOG.log(Level.WARNING, "{0}: the device has failed or is being removed", name);
            List.copyOf(users).forEach(User::deviceRemoved);
            if (users.isEmpty()) {
                whenGone.accept(this);
            }
        }
    }

    private void completionEvents() {
        try {
            for (int count = ready.length; count == ready.length; ) {
                count = Libibverbs.nextCompletionEvents(channel, ready);
                for (int i = 0; i < count; i++) {
                    CompletionHandler.Source source = queues.get(ready[i]);
                    if (source != null) {
                        io.activate(source);
                    }
                }
            }
        } catch (NativeException e) {
            LOG.log(Level.ERROR, name + ": completion events cannot be taken", e);
        }
    }

    /** Takes the device's asynchronous events and passes each to the users concerned. */
    public void asynchronousEvents() {
        try {
            long[] subject = new long[1];
            // Handling an event may end users and close the device. Events of a removed device are taken too, because
            // its descriptor stays readable until the poller drops it.
            while (!closed) {
                int type = Libibverbs.nextAsynchronousEvent(handle, subject);
                if (type < 0) {
                    return;
                }
                LOG.log(Level.DEBUG, "{0}: asynchronous event {1}", name, type);
                happened(type, subject[0]);
            }
        } catch (NativeException e) {
            LOG.log(Level.ERROR, name + ": asynchronous events cannot be taken", e);
        }
    }

    private void happened(int type, long subject) {
        switch (type) {
            case DEVICE_FATAL -> remove();
            case LAST_REQUEST_REACHED -> owning(subject).forEach(User::receivesTaken);
            case QUEUE_PAIR_ACCESS_ERROR ->
                lost(owning(subject), Reason.PEER_VIOLATION, "the peer accessed memory that it was not granted");
            case QUEUE_PAIR_FATAL, QUEUE_PAIR_REQUEST_ERROR ->
                lost(
                        owning(subject),
                        Reason.PEER_VIOLATION,
                        "the peer sent a request that is not valid, or the device failed");
            case COMPLETION_QUEUE_ERROR ->
                lost(owning(subject), Reason.DISCONNECTED, "its completion queue has overrun or failed");
            case SHARED_RECEIVE_QUEUE_ERROR ->
                lost(owning(subject), Reason.DISCONNECTED, "its shared receive queue has failed");
            default -> {}
        }
    }

    private static void lost(List<User> concerned, Reason reason, String why) {
        concerned.forEach(user -> user.lost(reason, why));
    }

    private List<User> owning(long subject) {
        return users.stream().filter(user -> user.owns(subject)).toList();
    }

    /** Deregisters all memory and closes the device. Its queue pairs must have been destroyed. */
    void close() {
        ProtectionDomain domain = shared;
        if (domain != null) {
            domain.close();
        }
        try {
            // If the device could not be closed, its events must still be taken.
            Libibverbs.destroyCompletionChannel(channel);
            io.unwatch(channel);
            Libibverbs.closeDevice(handle, removed);
            io.unwatch(handle);
            closed = true;
        } catch (NativeException e) {
            LOG.log(Level.WARNING, name + ": the device stays open", e);
        }
    }
}
