// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.iwarp.framing.MpaFrame;
import org.emplace.rdma.iwarp.framing.MpaFrame.ReadNegotiation;
import org.emplace.rdma.iwarp.framing.MpaFrame.ReadNegotiation.Negotiated;
import org.emplace.rdma.iwarp.framing.StreamException;
import org.emplace.rdma.iwarp.queuepair.Endpoint;
import org.emplace.rdma.iwarp.queuepair.Endpoint.Sharing;
import org.emplace.rdma.iwarp.queuepair.IwarpQueuePair;
import org.emplace.reactor.SocketHandler;
import org.emplace.reactor.Timers;
import org.jspecify.annotations.Nullable;

/** Sets up a connection as the responder: waits for the MPA request, asks the consumer, and replies. */
final class ResponderHandshake implements SocketHandler.Attachment, ConnectionAcceptor.Request {
    private static final System.Logger LOG = System.getLogger(ResponderHandshake.class.getName());

    private final Endpoint endpoint;
    private final IwarpListener listener;
    private final Sharing sharing;
    private final IwarpOptions options;
    private final MpaFrame.Reader reader;
    private final SelectionKey key;
    private final AtomicBoolean answered = new AtomicBoolean();
    private Timers.Timer timer;
    private @Nullable MpaFrame request;
    private boolean over;
    private ByteBuffer[] reply = {};
    private Runnable replied = () -> {};
    private @Nullable Handler accepted;

    private ResponderHandshake(Endpoint endpoint, IwarpListener listener) throws IOException {
        this.endpoint = endpoint;
        this.listener = listener;
        sharing = listener.sharing(endpoint.remote());
        options = listener.provider().options();
        reader = new MpaFrame.Reader(endpoint.wire(), MpaFrame.Kind.REQUEST);
        key = endpoint.sockets().register(endpoint.channel(), SelectionKey.OP_READ, this);
        timer = endpoint.loop().schedule(options.requestTimeout(), () -> abandon(timedOut("sent no MPA request")));
    }

    /** On the loop: starts the set-up of a TCP connection that a listener has accepted. Tells the listener when it is over. */
    static void start(Endpoint endpoint, IwarpListener listener) throws IOException {
        new ResponderHandshake(endpoint, listener);
    }

    @Override
    public void ready(SelectionKey ready) {
        try {
            if (request == null) {
                MpaFrame frame = reader.read();
                if (frame != null) {
                    requested(frame);
                }
            } else if (reply.length > 0) {
                writeReply();
            }
        } catch (StreamException e) {
            abandon(e.on(endpoint.toString()));
        } catch (IOException e) {
            abandon(new RdmaException(Reason.DISCONNECTED, endpoint + ": " + e.getMessage(), e));
        }
    }

    private void requested(MpaFrame frame) throws StreamException {
        if (frame.revision() != 1 && frame.revision() != 2) {
            throw StreamException.unanswered("MPA revision " + frame.revision() + " in the request; 1 and 2 exist");
        }
        request = frame;
        key.interestOps(0);
        timer.cancel();
        timer = endpoint.loop().schedule(options.replyTimeout(), this::refuse);
        if (frame.markers()) {
            LOG.log(
                    Level.DEBUG,
                    "{0}: rejected, because the peer requires markers, which software iWARP does not send",
                    endpoint);
            refuse();
            return;
        }
        try {
            listener.acceptor().connectionRequested(this);
        } catch (Throwable e) {
            listener.provider().counters().errors().log(endpoint, "the acceptor threw, the connection is rejected", e);
            refuse();
        }
    }

    private MpaFrame request() {
        if (request == null) {
            throw new IllegalStateException("no MPA request has arrived");
        }
        return request;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return endpoint.remote();
    }

    @Override
    public byte[] privateData() {
        return request().privateData().clone();
    }

    @Override
    public int initiatorInboundReads() {
        return ReadNegotiation.inboundReadsOf(request());
    }

    @Override
    public Optional<SharedReceiveQueue> sharedReceiveQueue() {
        return Optional.ofNullable(listener.sharedReceives());
    }

    @Override
    public void accept(ConnectionParameters parameters, Handler handler) {
        IwarpQueuePair.check(parameters.receives(), listener.sharedReceives());
        byte[] privateData = ReadNegotiation.privateData(parameters);
        answerOnce();
        execute(() -> {
            if (over || reply.length > 0) {
                handler.disconnected(timedOut("was accepted after it had been rejected or lost"));
                return;
            }
            accepted = handler;
            probe(parameters.keepAlive());
            Negotiated negotiated = ReadNegotiation.respond(request(), parameters);
            replied = () -> {
                new IwarpQueuePair(
                                endpoint,
                                key,
                                negotiated,
                                parameters.receives(),
                                sharing,
                                handler,
                                listener.provider().counters())
                        .start();
                listener.setUpOver(sharing.peer());
            };
            answer(ReadNegotiation.reply(request(), negotiated, privateData));
        });
    }

    private void probe(Duration keepAlive) {
        try {
            SocketHandler.keepAlive(endpoint.channel(), keepAlive);
        } catch (IOException closed) {
            LOG.log(Level.DEBUG, "a connection ended before its set-up", closed);
        }
    }

    @Override
    public void reject(byte[] privateData) {
        ReadNegotiation.check(privateData);
        answerOnce();
        execute(() -> rejectWith(privateData.clone()));
    }

    /** Runs a task on the loop. If it fails, the set-up does. */
    private void execute(Runnable task) {
        endpoint.loop().execute(() -> {
            try {
                task.run();
            } catch (Throwable broken) {
                failed(broken);
            }
        });
    }

    private void answerOnce() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException(endpoint + ": the connection request has been answered before");
        }
    }

    /** Rejects the request if the consumer has not answered it. */
    private void refuse() {
        rejectWith(new byte[0]);
    }

    private void rejectWith(byte[] privateData) {
        if (over || reply.length > 0) {
            return;
        }
        listener.provider().counters().connectionRejected();
        replied = () -> {
            endpoint.lingerInPlace(key, sharing);
            listener.rejected();
        };
        answer(ReadNegotiation.rejection(request(), privateData));
    }

    private void answer(MpaFrame frame) {
        timer.cancel();
        timer = endpoint.loop().schedule(options.replyTimeout(), () -> abandon(timedOut("took no MPA reply")));
        reply = new ByteBuffer[] {frame.toBytes()};
        try {
            writeReply();
        } catch (IOException e) {
            abandon(new RdmaException(Reason.DISCONNECTED, endpoint + ": " + e.getMessage(), e));
        }
    }

    private void writeReply() throws IOException {
        endpoint.wire().write(reply, 0, 1);
        if (reply[0].hasRemaining()) {
            key.interestOps(SelectionKey.OP_WRITE);
            return;
        }
        timer.cancel();
        try {
            replied.run();
            over = true;
        } catch (Throwable broken) {
            failed(broken);
        }
    }

    @Override
    public void failed(Throwable broken) {
        abandon(new RdmaException(Reason.DISCONNECTED, endpoint + ": set-up failed: " + broken, broken));
    }

    @Override
    public void shutDown() {
        abandon(new RdmaException(Reason.DISCONNECTED, endpoint + ": the provider was closed"));
    }

    private RdmaException timedOut(String what) {
        return new RdmaException(Reason.TIMED_OUT, endpoint + ": the connection " + what + " in time");
    }

    /** Abandons the set-up for this reason. */
    private void abandon(RdmaException cause) {
        if (over) {
            return;
        }
        over = true;
        timer.cancel();
        LOG.log(Level.DEBUG, "set-up failed: {0}", cause.getMessage());
        endpoint.sockets().close(endpoint.channel());
        listener.setUpOver(sharing.peer());
        if (accepted != null) {
            accepted.disconnected(cause);
        }
    }
}
