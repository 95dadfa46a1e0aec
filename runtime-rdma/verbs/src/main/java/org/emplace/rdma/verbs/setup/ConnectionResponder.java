// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.setup;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.verbs.connection.ConnectionEvents;
import org.emplace.rdma.verbs.connection.ConnectionEvents.Event;
import org.emplace.rdma.verbs.connection.ConnectionEvents.Failure;
import org.emplace.rdma.verbs.connection.ConnectionId;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.jni.Librdmacm;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.queuepair.VerbsQueuePair;
import org.emplace.rdma.verbs.queuepair.VerbsSharedReceives;
import org.emplace.rdma.verbs.setup.SetUp.Message;
import org.emplace.reactor.Timers;
import org.jspecify.annotations.Nullable;

/** Sets up a connection as the responder: passes the request to the consumer's acceptor and sends the reply. */
final class ConnectionResponder implements ConnectionEvents.Handler, ConnectionAcceptor.Request {
    private static final System.Logger LOG = System.getLogger(ConnectionResponder.class.getName());

    private final SetUp setUp;
    private final ConnectionId id;
    private final VerbsDevice device;
    private final Event request;
    private final InetSocketAddress remote;
    private final AtomicBoolean answered = new AtomicBoolean();
    private Timers.Timer timer;
    private @Nullable Handler accepted;
    private @Nullable VerbsQueuePair queuePair;
    private final @Nullable VerbsSharedReceives shareable;
    private int outboundReads;
    private boolean over;

    private ConnectionResponder(
            SetUp setUp, ConnectionId id, VerbsDevice device, @Nullable VerbsSharedReceives shareable, Event request) {
        this.setUp = setUp;
        this.shareable = shareable;
        this.id = id;
        this.device = device;
        this.request = request;
        remote = id.remoteAddress();
        timer = id.loop().schedule(setUp.answerTimeout(), this::refuse);
    }

    /** On the loop: passes a connection request to a listener's acceptor. */
    static void start(
            SetUp setUp, ConnectionEvents events, Event request, Listener listener, ConnectionAcceptor acceptor) {
        ConnectionId id = events.add(request.id(), ConnectionEvents.Handler.NONE);
        ConnectionResponder responder;
        try {
            VerbsDevice device = setUp.devices().of(id);
            responder = new ConnectionResponder(setUp, id, device, listener.sharedReceives(device), request);
        } catch (NativeException | RdmaException e) {
            listener.errors()
                    .shortage("a connection request is rejected, because its device cannot be used: " + e.getMessage());
            id.destroy();
            return;
        }
        id.handledBy(responder);
        try {
            acceptor.connectionRequested(responder);
        } catch (Throwable e) {
            listener.errors().log(responder, "the acceptor threw, the connection is rejected", e);
            responder.refuse();
        }
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public byte[] privateData() {
        return request.privateData().clone();
    }

    @Override
    public int initiatorInboundReads() {
        return request.initiatorDepth();
    }

    @Override
    public Optional<SharedReceiveQueue> sharedReceiveQueue() {
        return Optional.ofNullable(shareable);
    }

    @Override
    public void accept(ConnectionParameters parameters, Handler handler) {
        SetUp.check(parameters, shareable);
        byte[] privateData = setUp.privateData(parameters, device, Message.REPLY);
        answerOnce();
        id.loop().execute(() -> {
            if (over) {
                handler.disconnected(failure(Reason.TIMED_OUT, "accepted after it had been rejected or lost"));
            } else {
                accept(parameters, privateData, handler);
            }
        });
    }

    private void accept(ConnectionParameters parameters, byte[] privateData, Handler handler) {
        timer.cancel();
        timer = id.loop().schedule(parameters.timeout(), () -> abandon(Reason.TIMED_OUT, "not established in time"));
        accepted = handler;
        outboundReads = Math.min(
                Math.min(parameters.outboundReads(), request.initiatorDepth()),
                device.capabilities().outboundReads());
        int inboundReads = Math.min(
                Math.min(parameters.inboundReads(), request.responderResources()),
                device.capabilities().inboundReads());
        try {
            queuePair = setUp.queuePair(device, id, parameters, handler);
            Librdmacm.accept(id.handle(), privateData, inboundReads, outboundReads, SetUp.RECEIVER_NOT_READY_RETRIES);
        } catch (RdmaException e) {
            abandon(e.reason(), String.valueOf(e.getMessage()));
        } catch (NativeException e) {
            Failure failure = Failure.of(e);
            abandon(failure.reason(), failure.words());
        }
    }

    @Override
    public void reject(byte[] privateData) {
        SetUp.check(privateData, device, Message.REJECT);
        byte[] copy = privateData.clone();
        answerOnce();
        id.loop().execute(() -> rejectWith(copy));
    }

    private void answerOnce() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException(this + ": the connection request has been answered before");
        }
    }

    /** Rejects the request if the consumer has not answered it in time. */
    private void refuse() {
        rejectWith(new byte[0]);
    }

    private void rejectWith(byte[] privateData) {
        if (over || accepted != null) {
            return;
        }
        device.counters().connectionRejected();
        try {
            Librdmacm.reject(id.handle(), privateData);
        } catch (NativeException e) {
            LOG.log(Level.DEBUG, this + ": the peer has gone before it was rejected", e);
        }
        abandon(Reason.REJECTED, "rejected");
    }

    @Override
    public void event(Event event) {
        switch (event.type()) {
            case ESTABLISHED -> established();
            case TIMEWAIT_EXIT, ADDRESS_CHANGE -> {}
            default -> {
                Failure failure = Failure.of(event, device.capabilities().iwarp());
                abandon(failure.reason(), failure.words());
            }
        }
    }

    private void established() {
        VerbsQueuePair created = queuePair;
        if (created == null) {
            throw new IllegalStateException(this + ": established without a queue pair");
        }
        over = true;
        timer.cancel();
        created.established(request.privateData(), outboundReads);
    }

    @Override
    public void shutDown() {
        abandon(Reason.DISCONNECTED, "the provider was closed");
    }

    private RdmaException failure(Reason reason, String what) {
        return new RdmaException(reason, this + ": " + what);
    }

    /** Abandons the set-up and logs the reason. */
    private void abandon(Reason reason, String what) {
        if (over) {
            return;
        }
        over = true;
        timer.cancel();
        // A lack of local resources is for the user to fix. The peer learns only that it is rejected.
        if (reason == Reason.NO_RESOURCES) {
            device.counters().errors().shortage(this + ": " + what);
        } else {
            LOG.log(Level.DEBUG, "{0}: {1}", this, what);
        }
        if (queuePair != null) {
            queuePair.abandon();
        }
        id.destroy();
        if (accepted != null) {
            accepted.disconnected(failure(reason, what));
        }
    }

    @Override
    public String toString() {
        return "verbs from " + remote + " on " + device.name();
    }
}
