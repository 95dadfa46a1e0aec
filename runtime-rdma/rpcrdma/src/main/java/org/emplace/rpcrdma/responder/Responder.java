// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.message.MessageType;
import org.emplace.rpc.transport.ServiceDispatcher;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.ReadChunk;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.ReceivedMessage;
import org.jspecify.annotations.Nullable;

/**
 * The responder of a connection: checks calls, fetches the messages of Long Calls, and passes calls to the dispatcher.
 * Called on the provider's thread; never blocks.
 */
public final class Responder {
    private static final System.Logger LOG = System.getLogger(Responder.class.getName());

    private final Link link;
    private final RpcConnection connection;
    private final ServiceDispatcher dispatcher;
    private final ChunkRules rules;
    private final Replier replier;
    private final ChunkFetcher fetcher;
    private boolean closing;

    /**
     * For an established connection.
     *
     * @param connection the connection that handlers get
     * @param dispatcher answers the calls
     * @param rules the rules for the chunk lists of calls
     */
    public Responder(Link link, RpcConnection connection, ServiceDispatcher dispatcher, ChunkRules rules) {
        this.link = link;
        this.connection = connection;
        this.dispatcher = dispatcher;
        this.rules = rules;
        this.replier = new Replier(link);
        this.fetcher = new ChunkFetcher(link, rules.maximumMessage());
    }

    Link link() {
        return link;
    }

    RpcConnection connection() {
        return connection;
    }

    Replier replier() {
        return replier;
    }

    ChunkFetcher fetcher() {
        return fetcher;
    }

    /** Handles an RDMA_MSG call. Takes ownership of the message. */
    public void called(Header.Message header, ReceivedMessage received) {
        IncomingRdmaCall call = admit(header.xid(), header.credits(), header.chunks(), received);
        if (call == null) {
            return;
        }
        Optional<String> broken = rules.brokenByMessage(header.chunks());
        if (broken.isPresent()) {
            refuse(call, broken.get());
        } else {
            dispatcher.dispatch(call);
        }
    }

    /** Handles an RDMA_NOMSG call. Takes ownership of the message. */
    public void called(Header.NoMessage header, ReceivedMessage received) {
        IncomingRdmaCall call = admit(header.xid(), header.credits(), header.chunks(), received);
        if (call == null) {
            return;
        }
        Optional<String> broken = rules.brokenByNoMessage(header.chunks());
        if (broken.isPresent()) {
            refuse(call, broken.get());
            return;
        }
        ReadChunk whole = header.chunks().reads().get(0);
        if (whole.length() < MessageType.MINIMUM_LENGTH) {
            refuse(call, "the Position Zero Read chunk is too short for a message");
        } else if (link.memory().pool().hasFree((int) whole.length())) {
            fetchMessage(whole, call);
        } else {
            // Never registers memory on the thread that serves connections.
            link.callbacks().execute(() -> fetchMessage(whole, call));
        }
    }

    /** Handles a message of another version of RPC-over-RDMA. */
    public void called(Header.OtherVersion header, ReceivedMessage received) {
        IncomingRdmaCall call = admit(header.xid(), header.credits(), ChunkLists.EMPTY, received);
        if (call != null) {
            replier.refuseVersion(call);
        }
    }

    /**
     * Answers a message whose header cannot be decoded, or that is not an RPC call with its header's xid. The answer is ERR_CHUNK, so that the
     * requester gets its credit back. The credits that the message requests are ignored (draft-ietf-nfsv4-rfc5666bis-01 sections 5.5 and 8.3.3).
     */
    public void calledMalformed(int xid, String why, ReceivedMessage received) {
        IncomingRdmaCall call = admit(xid, IncomingRdmaCall.NO_CREDITS, ChunkLists.EMPTY, received);
        if (call != null) {
            refuse(call, why);
        }
    }

    /** Called when the connection is over. */
    public void disconnected() {
        fetcher.disconnected();
    }

    /** Admits a call. If the peer has exceeded its credits, closes the connection and returns null. */
    private @Nullable IncomingRdmaCall admit(
            int xid, long requestedCredits, ChunkLists chunks, ReceivedMessage received) {
        if (link.receives().credits().take()) {
            return new IncomingRdmaCall(this, received, xid, requestedCredits, chunks);
        }
        received.release();
        close();
        return null;
    }

    private void close() {
        if (!closing) {
            closing = true;
            link.lost()
                    .event(count -> LOG.log(
                            System.Logger.Level.WARNING,
                            "{0}: closed, because the peer exceeds its credits or does not receive replies; such connections so far: {1}",
                            link.name(),
                            count));
            link.queuePair().close();
        }
    }

    /** The length of the chunk is within the limit of a message, which the rules require. */
    private void fetchMessage(ReadChunk whole, IncomingRdmaCall call) {
        CompletionStage<ByteBuffer> fetched = fetcher.fetchIntoPool(whole, (int) whole.length(), call);
        fetched.whenComplete((message, failure) -> {
            if (failure == null) {
                messageIsHere(message, call);
            } else if (IncomingRdmaCall.isLackOfMemory(failure)) {
                refuse(call, "no memory for the Position Zero Read chunk: " + failure.getMessage());
            } else {
                call.release();
            }
        });
    }

    private void messageIsHere(ByteBuffer message, IncomingRdmaCall call) {
        if (MessageType.of(message) == MessageType.CALL && MessageType.xidOf(message) == call.xid()) {
            call.messageFetched(message);
            dispatcher.dispatch(call);
        } else {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "{0}: rejected: the Position Zero Read chunk does not contain an RPC call with the xid of the header",
                    call);
            call.refuseMalformed();
        }
    }

    private void refuse(IncomingRdmaCall call, String why) {
        LOG.log(System.Logger.Level.DEBUG, "{0}: rejected: {1}", call, why);
        replier.refuseChunks(call);
    }
}
