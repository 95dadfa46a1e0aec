// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.setup;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.verbs.connection.ConnectionEvents;
import org.emplace.rdma.verbs.connection.ConnectionEvents.Event;
import org.emplace.rdma.verbs.connection.ConnectionEvents.Failure;
import org.emplace.rdma.verbs.connection.ConnectionId;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.jni.Librdmacm;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.queuepair.VerbsQueuePair;
import org.emplace.reactor.Timers;
import org.emplace.reactor.Workers;
import org.jspecify.annotations.Nullable;

/** Sets up a connection as the initiator: resolves the address and the route, sends the request, and receives the reply. */
public final class ConnectionInitiator implements ConnectionEvents.Handler {
    /** The local ports that are tried. Several in a row are hardly ever all in use. */
    private static final int MOST_PORTS = 10;

    private final SetUp setUp;
    private final ConnectionEvents events;
    private final InetSocketAddress remote;
    private final ConnectionParameters parameters;
    private final Handler handler;
    private final CompletableFuture<QueuePair> outcome;
    private final long deadline;
    private @Nullable ConnectionId id;
    private Timers.@Nullable Timer timer;
    private @Nullable VerbsDevice device;
    private @Nullable VerbsQueuePair queuePair;
    private int outboundReads;
    private int ports;
    private boolean connecting;
    private boolean over;
    private boolean abandoned;

    /**
     * Prepares a connection; {@link #start} starts the set-up.
     *
     * @param outcome completed with the queue pair, or with the failure
     */
    public ConnectionInitiator(
            SetUp setUp,
            ConnectionEvents events,
            InetSocketAddress remote,
            ConnectionParameters parameters,
            Handler handler,
            CompletableFuture<QueuePair> outcome) {
        this.setUp = setUp;
        this.events = events;
        this.remote = remote;
        this.parameters = parameters;
        this.handler = handler;
        this.outcome = outcome;
        deadline = System.nanoTime() + parameters.timeout().toNanos();
    }

    /** On the loop: starts the set-up. */
    public void start() {
        timer = events.loop().schedule(parameters.timeout(), () -> fail(Reason.TIMED_OUT, "no connection in time"));
        resolve();
    }

    private void resolve() {
        ports++;
        try {
            ConnectionId created = events.newId(this);
            id = created;
            created.resolve(remote, millisLeft());
        } catch (NativeException e) {
            fail(Failure.ofAddress(e));
        } catch (RdmaException e) {
            fail(e.reason(), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void event(Event event) {
        if (over) {
            return;
        }
        try {
            switch (event.type()) {
                case ADDRESS_RESOLVED -> Librdmacm.resolveRoute(id().handle(), millisLeft());
                case ROUTE_RESOLVED -> connect();
                case ESTABLISHED -> established(event);
                case TIMEWAIT_EXIT, ADDRESS_CHANGE -> {}
                default ->
                    fail(Failure.of(
                            event, device != null && device.capabilities().iwarp()));
            }
        } catch (NativeException e) {
            fail(Failure.of(e));
        } catch (RdmaException e) {
            fail(e.reason(), String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            abandon();
            outcome.completeExceptionally(e);
        }
    }

    private void connect() throws NativeException, RdmaException {
        VerbsDevice found = setUp.devices().of(id());
        device = found;
        byte[] privateData = setUp.privateData(parameters, found, SetUp.Message.REQUEST);
        queuePair = setUp.queuePair(found, id(), parameters, handler);
        outboundReads =
                Math.min(parameters.outboundReads(), found.capabilities().outboundReads());
        int inboundReads =
                Math.min(parameters.inboundReads(), found.capabilities().inboundReads());
        if (found.capabilities().iwarp()) {
            connectAside(id().handle(), privateData, inboundReads);
        } else {
            connect(id().handle(), privateData, inboundReads);
        }
    }

    private void connect(long handle, byte[] privateData, int inboundReads) throws NativeException {
        Librdmacm.connect(
                handle, privateData, inboundReads, outboundReads, SetUp.RETRIES, SetUp.RECEIVER_NOT_READY_RETRIES);
    }

    /** On siw, the call returns when TCP has connected or has given up. That may take minutes, so the loop must not wait for it. */
    private void connectAside(long handle, byte[] privateData, int inboundReads) throws RdmaException {
        Thread thread = Workers.daemon("verbs-connect", () -> {
            try {
                connect(handle, privateData, inboundReads);
                events.loop().execute(() -> connectedAside(null));
            } catch (NativeException e) {
                events.loop().execute(() -> connectedAside(e));
            }
        });
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            throw new RdmaException(Reason.NO_RESOURCES, "verbs: no thread to connect on", noThread);
        }
        connecting = true;
    }

    private void connectedAside(@Nullable NativeException failure) {
        connecting = false;
        if (abandoned) {
            destroy();
        } else if (failure != null && Failure.isPortInUse(failure) && ports < MOST_PORTS) {
            tryAnotherPort();
        } else if (failure != null) {
            fail(Failure.of(failure));
        }
    }

    /**
     * On siw, the connection manager chooses a local port without regard to TCP, which may still have a connection from that port. It chooses another
     * for another identifier.
     */
    private void tryAnotherPort() {
        destroy();
        queuePair = null;
        id = null;
        resolve();
    }

    private void established(Event event) {
        VerbsQueuePair created = queuePair;
        if (created == null) {
            throw new IllegalStateException("established without a queue pair");
        }
        finish();
        created.established(event.privateData(), Math.min(outboundReads, answeredReads(event)));
        outcome.complete(created);
    }

    /** The RDMA Reads that the peer answers at a time. For iWARP the connection manager swaps the event's two numbers. */
    private int answeredReads(Event event) {
        boolean iwarp = device != null && device.capabilities().iwarp();
        return iwarp ? event.responderResources() : event.initiatorDepth();
    }

    @Override
    public void shutDown() {
        fail(Reason.DISCONNECTED, "the provider was closed");
    }

    private ConnectionId id() {
        if (id == null) {
            throw new IllegalStateException("an event without an identifier");
        }
        return id;
    }

    private int millisLeft() {
        return (int) Math.max(1, Duration.ofNanos(deadline - System.nanoTime()).toMillis());
    }

    private void finish() {
        over = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void fail(Failure failure) {
        fail(failure.reason(), failure.words());
    }

    private void fail(Reason reason, String what) {
        if (!over) {
            abandon();
            outcome.completeExceptionally(new RdmaException(reason, "verbs to " + remote + ": " + what));
        }
    }

    private void abandon() {
        finish();
        abandoned = true;
        if (!connecting) {
            destroy();
        }
    }

    private void destroy() {
        if (queuePair != null) {
            queuePair.abandon();
        }
        if (id != null) {
            id.destroy();
        }
    }
}
