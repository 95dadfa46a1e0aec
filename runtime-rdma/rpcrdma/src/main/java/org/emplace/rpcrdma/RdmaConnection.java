// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.RdmaException;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RegisteredBuffer.MemoryDomain;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.message.MessageHeader;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpc.transport.RpcTransport.Connection;
import org.emplace.rpcrdma.header.ChunkLimits;
import org.emplace.rpcrdma.header.ChunkLimits.Rules;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.HeaderCodec;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.ReceivedMessage;
import org.emplace.rpcrdma.link.SendQueue;
import org.emplace.rpcrdma.requester.Requester;
import org.emplace.rpcrdma.responder.Responder;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/** An established connection. It passes each received message to its requester or its responder. */
final class RdmaConnection implements Connection, ConnectionLimit.Occupant {
    private static final System.Logger LOG = System.getLogger(RdmaConnection.class.getName());

    private final Link link;
    private final Requester requester;
    private final Responder responder;
    private final ConnectionRole role;
    private final ChunkLimits limits;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile boolean closing;

    RdmaConnection(Link link, ConnectionRole role) {
        this.link = link;
        this.role = role;
        this.requester = new Requester(link, role);
        int maximum = role.options().maxMessage();
        this.limits = role.initiated() ? ChunkLimits.NONE : limits(role.dispatcher(), maximum);
        Rules rules = new Rules(!role.initiated(), maximum);
        this.responder = new Responder(link, this, role.dispatcher(), rules);
    }

    private static ChunkLimits limits(ServiceDispatcher dispatcher, int maxMessage) {
        return ChunkLimits.forCalls(dispatcher.readChunkLimit(), dispatcher.writeChunkLimit(), maxMessage);
    }

    @Override
    public <A, R> RpcCall<R> call(
            Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
        return requester.call(requester.pending().open(procedure, arguments, destinations, options));
    }

    @Override
    public <A, R> RpcCall<R> call(
            int xid, Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
        return requester.call(requester.pending().open(xid, procedure, arguments, destinations, options));
    }

    @Override
    public boolean hasCredit() {
        return requester.hasCredit();
    }

    @Override
    public MemoryDomain memory() {
        return link.memory();
    }

    @Override
    public void serve(RpcService service) {
        role.serve(service);
    }

    @Override
    public void enableBackwardCalls() {
        role.requireAccepted(link.name());
        requester.pending().enable();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return link.queuePair().remoteAddress();
    }

    @Override
    public long idleNanos() {
        return Math.min(link.receives().credits().idleNanos(), requester.idleNanos());
    }

    @Override
    public CompletionStage<Void> closed() {
        return closed.minimalCompletionStage();
    }

    /** Resets the connection if calls of an initiator are in flight, because they are over for their callers. */
    @Override
    public void close() {
        closing = true;
        if (role.initiated() && requester.pending().size() > 0) {
            link.queuePair().reset();
        } else {
            link.queuePair().close();
        }
    }

    @Override
    public void reset() {
        closing = true;
        link.queuePair().reset();
    }

    @Override
    public String toString() {
        return link.name();
    }

    SendQueue sends() {
        return link.sends();
    }

    /** Handles a received message, and takes ownership of it. */
    void received(ReceivedMessage received) {
        if (!isServed(received)) {
            link.queuePair().endTurn();
        }
    }

    /** Handles a received message. Returns whether it is a call that a handler answers, or a reply for which a call waits. */
    private boolean isServed(ReceivedMessage received) {
        XdrDecoder in = received.decoder();
        if (in.remaining() < HeaderCodec.FIXED_FIELDS) {
            return drop(received, "a message that is shorter than a header");
        }
        Header header;
        try {
            header = HeaderCodec.decode(in, limits);
        } catch (XdrException malformed) {
            return receivedMalformed(String.valueOf(malformed.getMessage()), received);
        } catch (RuntimeException | Error broken) {
            received.release();
            throw broken;
        }
        in.beginMessage();
        return sort(header, received);
    }

    /** Called when all messages that arrived together have been handled. */
    void receivedAll() {
        try {
            requester.repliedAll();
        } finally {
            responder.calledAll();
        }
    }

    /** Called when the connection is over and the provider no longer accesses its memory; once more if this throws. */
    void disconnected(@Nullable RdmaException cause) {
        String why = cause != null
                ? String.valueOf(cause.getMessage())
                : closing ? "closed by this side" : "closed by the peer";
        try {
            link.sends().disconnected();
        } finally {
            try {
                requester.disconnected(why);
            } finally {
                try {
                    responder.disconnected();
                    role.disconnected(this);
                } finally {
                    link.callbacks().execute(() -> completeClosed(why, cause));
                }
            }
        }
    }

    private void completeClosed(String why, @Nullable RdmaException cause) {
        try {
            if (closing) {
                closed.complete(null);
            } else {
                closed.completeExceptionally(
                        new RpcException(RpcException.Kind.DISCONNECTED, link.name() + ": " + why, cause));
            }
        } catch (RuntimeException | Error broken) {
            closed.completeExceptionally(broken);
        }
    }

    /**
     * Handles a truncated or malformed message. It does not show whether it is a call, so the role of this end decides.
     * An error message is never answered.
     */
    private boolean receivedMalformed(String why, ReceivedMessage received) {
        int xid = HeaderCodec.xidOf(received.bytes());
        if (role.initiated() || HeaderCodec.isError(received.bytes())) {
            return repliedMalformed(xid, why, received);
        }
        responder.calledMalformed(xid, why, received);
        return false;
    }

    private boolean sort(Header header, ReceivedMessage received) {
        if (header instanceof Header.Message message) {
            return sortByMessageType(message, received);
        } else if (header instanceof Header.NoMessage message && !role.initiated()) {
            return responder.called(message, received);
        } else if (header instanceof Header.OtherVersion other && !role.initiated()) {
            responder.called(other, received);
            return false;
        } else if (header instanceof Header.OtherVersion other) {
            return repliedMalformed(other.xid(), "its header has version " + other.version(), received);
        } else if (header instanceof Header.Done) {
            return drop(received, "RDMA_DONE");
        }
        return replied(header, received);
    }

    private boolean replied(Header header, ReceivedMessage received) {
        boolean isAwaited = requester.replied(header, received);
        if (!isAwaited) {
            stray();
        }
        return isAwaited;
    }

    private boolean repliedMalformed(int xid, String why, ReceivedMessage received) {
        received.release();
        boolean isAwaited = requester.repliedMalformed(xid, why);
        if (!isAwaited) {
            stray();
        }
        return isAwaited;
    }

    /** Counts a message that is neither a call nor the reply to one. Ends the connection of a client that sends too many. */
    private void stray() {
        if (!role.initiated() && !link.receives().credits().stray()) {
            responder.close("it sends messages that are neither calls nor replies to calls");
        }
    }

    private boolean sortByMessageType(Header.Message header, ReceivedMessage received) {
        int type;
        int xid;
        try {
            type = MessageHeader.ahead(received.decoder());
            xid = received.decoder().peekInt(0);
        } catch (XdrException none) {
            return receivedMalformed("the RDMA_MSG has no RPC message", received);
        } catch (RuntimeException | Error broken) {
            received.release();
            throw broken;
        }
        if (type != MessageHeader.CALL) {
            return replied(header, received);
        } else if (xid == header.xid()) {
            return responder.called(header, received);
        }
        responder.calledMalformed(header.xid(), "the RPC call does not have the xid of the header", received);
        return false;
    }

    private boolean drop(ReceivedMessage received, String what) {
        received.release();
        LOG.log(System.Logger.Level.DEBUG, "{0}: dropped {1}", link.name(), what);
        stray();
        return false;
    }
}
