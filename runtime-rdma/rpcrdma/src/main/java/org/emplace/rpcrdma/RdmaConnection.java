// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.RdmaException;
import org.emplace.reactor.Ending;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.MemoryDomain;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.message.MessageType;
import org.emplace.rpc.transport.Callbacks;
import org.emplace.rpc.transport.ConnectionLimit;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpc.transport.TransportConnection;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.HeaderCodec;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.ReceivedMessage;
import org.emplace.rpcrdma.link.SendQueue;
import org.emplace.rpcrdma.requester.Requester;
import org.emplace.rpcrdma.responder.ChunkRules;
import org.emplace.rpcrdma.responder.Responder;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/** An established connection. It passes each received message to its requester or its responder. */
final class RdmaConnection implements TransportConnection, ConnectionLimit.Occupant {
    private static final System.Logger LOG = System.getLogger(RdmaConnection.class.getName());

    private final Link link;
    private final Requester requester;
    private final Responder responder;
    private final ConnectionRole role;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile boolean closing;
    /** Set by {@link #received}. Used on the thread that receives. */
    boolean hasReceived;

    private final Ending ending;
    /** Why the connection has ended: set before {@link #ending} runs. */
    private @Nullable RdmaException endedBy;

    private String endedBecause = "";

    RdmaConnection(Link link, ConnectionRole role) {
        this.link = link;
        this.role = role;
        this.requester = new Requester(link, role);
        ChunkRules rules = new ChunkRules(!role.initiated(), role.options().maximumMessage());
        this.responder = new Responder(link, this, role.dispatcher(), rules);
        this.ending = new Ending(
                link.sends()::disconnected,
                () -> requester.disconnected(endedBecause),
                // Replies and calls that have been taken, but not passed on because something has failed.
                requester::repliedAll,
                responder::calledAll,
                responder::disconnected,
                () -> role.disconnected(this),
                () -> link.callbacks().execute(Callbacks.repeated(this::tellClosed)));
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

    @Override
    public void close() {
        closing = true;
        link.queuePair().close();
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
        hasReceived = true;
        Header header = null;
        boolean decoded = false;
        try {
            XdrDecoder in = received.decoder();
            if (in.remaining() < HeaderCodec.FIXED_FIELDS) {
                drop(received, "a message that is shorter than a header");
            } else {
                header = HeaderCodec.decode(in);
                in.beginMessage();
            }
            decoded = true;
        } catch (XdrException malformed) {
            decoded = true;
            receivedMalformed(String.valueOf(malformed.getMessage()), received);
        } finally {
            if (!decoded) {
                // For example for lack of stack. The connection ends.
                received.release();
            }
        }
        if (header != null) {
            sort(header, received);
        }
    }

    /** Called when all messages that arrived together have been handled. */
    void receivedAll() {
        try {
            requester.repliedAll();
        } finally {
            responder.calledAll();
        }
    }

    /** Called when the connection is over and the provider no longer accesses its memory. */
    void disconnected(@Nullable RdmaException cause) {
        endedBy = cause;
        endedBecause = cause != null
                ? String.valueOf(cause.getMessage())
                : closing ? "closed by this side" : "closed by the peer";
        for (boolean done = false; !done; ) {
            try {
                ending.run();
                done = true;
            } catch (Throwable again) {
                // Nothing else would end the calls.
            }
        }
    }

    private void tellClosed() {
        if (closing) {
            closed.complete(null);
        } else {
            closed.completeExceptionally(
                    new RpcException(RpcException.Kind.DISCONNECTED, link.name() + ": " + endedBecause, endedBy));
        }
    }

    /**
     * Handles a truncated or malformed message. It does not show whether it is a call, so the role of this end decides.
     * An error message is never answered.
     */
    private void receivedMalformed(String why, ReceivedMessage received) {
        int xid = HeaderCodec.xidOf(received.bytes());
        if (role.initiated() || HeaderCodec.isError(received.bytes())) {
            requester.repliedMalformed(xid, why);
            received.release();
        } else {
            responder.calledMalformed(xid, why, received);
        }
    }

    private void sort(Header header, ReceivedMessage received) {
        if (header instanceof Header.Message message) {
            sortByMessageType(message, received);
        } else if (header instanceof Header.NoMessage message && !role.initiated()) {
            responder.called(message, received);
        } else if (header instanceof Header.OtherVersion other && !role.initiated()) {
            responder.called(other, received);
        } else if (header instanceof Header.OtherVersion other) {
            requester.repliedMalformed(other.xid(), "its header has version " + other.version());
            received.release();
        } else if (header instanceof Header.Done) {
            drop(received, "RDMA_DONE");
        } else {
            replied(header, received);
        }
    }

    private void replied(Header header, ReceivedMessage received) {
        try {
            requester.replied(header, received);
        } catch (RuntimeException | Error broken) {
            // The connection ends. No effect if the requester has released it.
            received.release();
            throw broken;
        }
    }

    private void sortByMessageType(Header.Message header, ReceivedMessage received) {
        int type;
        int xid;
        try {
            type = MessageType.ahead(received.decoder());
            xid = received.decoder().peekInt(0);
        } catch (XdrException none) {
            receivedMalformed("the RDMA_MSG has no RPC message", received);
            return;
        }
        if (type != MessageType.CALL) {
            replied(header, received);
        } else if (xid == header.xid()) {
            responder.called(header, received);
        } else {
            responder.calledMalformed(header.xid(), "the RPC call does not have the xid of the header", received);
        }
    }

    private void drop(ReceivedMessage received, String what) {
        LOG.log(System.Logger.Level.DEBUG, "{0}: dropped {1}", link.name(), what);
        received.release();
    }
}
