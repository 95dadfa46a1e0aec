// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.setup;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;
import org.emplace.rdma.provider.RdmaCounters.SampledErrors;
import org.emplace.rdma.verbs.connection.ConnectionEvents;
import org.emplace.rdma.verbs.connection.ConnectionEvents.Event;
import org.emplace.rdma.verbs.connection.ConnectionEvents.Failure;
import org.emplace.rdma.verbs.connection.ConnectionId;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.jni.Librdmacm;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.queuepair.VerbsSharedReceives;
import org.jspecify.annotations.Nullable;

/**
 * A listening identifier, with a shared receive queue for each device on which a connection request has arrived. A {@link ConnectionResponder}
 * handles each request.
 */
public final class Listener implements RdmaListener, ConnectionEvents.Handler {
    private static final System.Logger LOG = System.getLogger(Listener.class.getName());
    private static final int BACKLOG = 1024;

    private final SetUp setUp;
    private final ConnectionEvents events;
    private final int receives;
    private final ConnectionAcceptor acceptor;
    private final ConnectionId id;
    private final InetSocketAddress localAddress;
    private final Map<VerbsDevice, VerbsSharedReceives> queues = new HashMap<>();
    private final SampledErrors errors = new SampledErrors();

    private Listener(
            SetUp setUp,
            ConnectionEvents events,
            InetSocketAddress local,
            int sharedReceives,
            ConnectionAcceptor acceptor)
            throws NativeException, RdmaException {
        this.setUp = setUp;
        receives = sharedReceives;
        this.events = events;
        this.acceptor = acceptor;
        id = events.newId(this);
        try {
            id.bind(local);
            Librdmacm.listen(id.handle(), BACKLOG);
            localAddress =
                    new InetSocketAddress(local.getAddress(), id.localAddress().getPort());
        } catch (NativeException | RdmaException e) {
            id.destroy();
            throw e;
        }
    }

    /** On the loop: starts to listen. Completes {@code outcome} with the listener, or with an {@link RdmaException} that states the reason. */
    public static void open(
            SetUp setUp,
            ConnectionEvents events,
            InetSocketAddress local,
            int sharedReceives,
            ConnectionAcceptor acceptor,
            CompletableFuture<RdmaListener> outcome) {
        try {
            outcome.complete(new Listener(setUp, events, local, sharedReceives, acceptor));
        } catch (NativeException e) {
            Failure failure = Failure.ofListening(e);
            outcome.completeExceptionally(new RdmaException(
                    failure.reason(), "verbs: cannot listen on " + local + ": " + failure.words(), e));
        } catch (RdmaException e) {
            outcome.completeExceptionally(e);
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public void event(Event event) {
        switch (event.type()) {
            case CONNECT_REQUEST -> ConnectionResponder.start(setUp, events, event, this, acceptor);
            case DEVICE_REMOVAL -> {
                LOG.log(
                        Level.WARNING,
                        "{0}: the device has been removed, nothing listens there any more",
                        localAddress);
                stopListening();
            }
            default -> LOG.log(Level.DEBUG, "{0}: {1}", localAddress, event);
        }
    }

    @Override
    public void shutDown() {
        stopListening();
    }

    /** The log of errors that peers may be able to cause. */
    SampledErrors errors() {
        return errors;
    }

    /** On the loop: the shared receive queue on a device; null if none is wanted or possible. */
    @Nullable
    VerbsSharedReceives sharedReceives(VerbsDevice device) {
        VerbsSharedReceives known = queues.get(device);
        if (known != null && known.isOffered()) {
            return known;
        }
        if (receives == 0 || !setUp.sharesReceives(device)) {
            return null;
        }
        try {
            VerbsSharedReceives created = VerbsSharedReceives.on(device, receives);
            queues.put(device, created);
            return created;
        } catch (RdmaException e) {
            errors.shortage(
                    "there is no shared receive queue, so connections have their own Receives: " + e.getMessage());
            return null;
        }
    }

    private void stopListening() {
        id.destroy();
        queues.values().forEach(VerbsSharedReceives::listenerClosed);
        queues.clear();
    }

    @Override
    public void close() {
        events.loop().execute(this::stopListening);
    }
}
