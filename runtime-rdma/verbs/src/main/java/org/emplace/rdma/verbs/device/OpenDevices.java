// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.device;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.provider.RdmaCounters;
import org.emplace.rdma.verbs.connection.ConnectionEvents;
import org.emplace.rdma.verbs.connection.ConnectionId;
import org.emplace.rdma.verbs.event.CompletionHandler;
import org.emplace.rdma.verbs.jni.Librdmacm;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.VerbsRegion;

/** The devices that a provider has opened, each at its first connection. Used on the loop unless a method says otherwise. */
public final class OpenDevices {
    private static final System.Logger LOG = System.getLogger(OpenDevices.class.getName());

    private final CompletionHandler io;
    private final RdmaCounters counters;
    private final Map<Long, VerbsDevice> open = new ConcurrentHashMap<>();

    /** Starts without devices. */
    public OpenDevices(CompletionHandler io, RdmaCounters counters) {
        this.io = io;
        this.counters = counters;
    }

    /** The device that a connection identifier is bound to, opened and watched from the first call on. */
    public VerbsDevice of(ConnectionId id) throws NativeException, RdmaException {
        long handle = Librdmacm.device(id.handle(), io.poller());
        VerbsDevice known = open.get(handle);
        if (known == null) {
            known = VerbsDevice.open(handle, io, counters, this::close);
            open.put(handle, known);
            Watch.start(id, known);
        }
        return known;
    }

    /** On any thread: registers a region with each device whose connections share a protection domain, so that a failure shows early. */
    public void registerEarly(VerbsRegion region) throws RdmaException {
        for (VerbsDevice device : open.values()) {
            device.registerEarly(region);
        }
    }

    private void close(VerbsDevice device) {
        if (open.remove(device.handle(), device)) {
            device.close();
        }
    }

    /** Closes all devices. Their queue pairs must have been destroyed. */
    public void closeAll() {
        open.values().forEach(this::close);
    }

    /**
     * An identifier that stays bound to an open device, to receive the event of its removal: the connection manager reports a removal only to the
     * device's identifiers. The removal waits until every process has closed the device, also those without a connection.
     */
    private static final class Watch implements ConnectionEvents.Handler {
        private final VerbsDevice device;
        private final ConnectionId id;

        private Watch(ConnectionEvents events, VerbsDevice device) throws NativeException {
            this.device = device;
            id = events.newId(this);
        }

        /** Watches a device until it is removed or the provider closes, at the local address of an identifier that is bound to it. */
        static void start(ConnectionId bound, VerbsDevice device) {
            try {
                Watch watch = new Watch(bound.events(), device);
                try {
                    watch.id.bind(new InetSocketAddress(bound.localAddress().getAddress(), 0));
                } catch (NativeException | RdmaException e) {
                    watch.id.destroy();
                    throw e;
                }
            } catch (NativeException | RdmaException e) {
                LOG.log(
                        Level.DEBUG,
                        device.name() + ": cannot be watched; only its connections will notice its removal",
                        e);
            }
        }

        @Override
        public void event(ConnectionEvents.Event event) {
            if (event.type() == ConnectionEvents.Event.Type.DEVICE_REMOVAL) {
                device.remove();
                id.destroy();
            }
        }

        @Override
        public void shutDown() {
            id.destroy();
        }
    }
}
