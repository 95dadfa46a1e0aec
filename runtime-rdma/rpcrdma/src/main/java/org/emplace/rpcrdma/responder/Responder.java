// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.SortedMap;
import org.emplace.rdma.Completion;
import org.emplace.rdma.RdmaException;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.message.MessageType;
import org.emplace.rpc.transport.CallDispatcher;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.FixedFields;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.ReadChunk;
import org.emplace.rpcrdma.link.CallCredits;
import org.emplace.rpcrdma.link.InboundMessage;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.ReceivedMessage;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The answering half of a connection: checks calls, fetches the messages of Long Calls, and hands them to the dispatcher. Called on the
 * provider's thread; never blocks.
 */
public final class Responder {
    private static final System.Logger LOG = System.getLogger(Responder.class.getName());

    private final Link link;
    private final RpcConnection connection;
    private final CallDispatcher dispatcher;
    private final ChunkRules rules;
    private final Replier replier;
    private boolean closing;

    /**
     * The responder of an established connection.
     *
     * @param connection what handlers see as the call's connection
     * @param dispatcher who answers the calls
     * @param rules what a call's chunk lists have to keep to
     */
    public Responder(Link link, RpcConnection connection, CallDispatcher dispatcher, ChunkRules rules) {
        this.link = link;
        this.connection = connection;
        this.dispatcher = dispatcher;
        this.rules = rules;
        this.replier = new Replier(link);
    }

    /** An RDMA_MSG call has come. Takes over the message. */
    public void called(Header.Message header, InboundMessage call) {
        CallResources resources = admit(header.credits(), call.received());
        if (resources == null) {
            return;
        }
        Optional<String> broken = rules.brokenByMessage(header.chunks());
        if (broken.isPresent()) {
            refuse(header.xid(), broken.get(), resources);
        } else {
            dispatch(header.xid(), call.body(), header.chunks(), resources);
        }
    }

    /** An RDMA_NOMSG call has come. Takes over the message. */
    public void called(Header.NoMessage header, InboundMessage call) {
        CallResources resources = admit(header.credits(), call.received());
        if (resources == null) {
            return;
        }
        Optional<String> broken = rules.brokenByNoMessage(header.chunks());
        if (broken.isPresent()) {
            refuse(header.xid(), broken.get(), resources);
        } else {
            fetchMessage(header, resources);
        }
    }

    /** A message of another version has come. */
    public void calledInOtherVersion(FixedFields fields, ReceivedMessage received) {
        CallResources resources = admit(Integer.toUnsignedLong(fields.credits()), received);
        if (resources != null) {
            replier.refuseVersion(fields.xid(), resources);
        }
    }

    /** A message has come whose header cannot be decoded. */
    public void calledMalformed(FixedFields fields, String why, ReceivedMessage received) {
        CallResources resources = admit(Integer.toUnsignedLong(fields.credits()), received);
        if (resources != null) {
            refuse(fields.xid(), why, resources);
        }
    }

    /** Lets a call in; null if it is one too many, and its connection ends. */
    private @Nullable CallResources admit(long requestedCredits, ReceivedMessage received) {
        CallCredits credits = link.receives().credits();
        if (!credits.take(requestedCredits)) {
            received.release();
            close();
            return null;
        }
        CallResources resources = new CallResources(link);
        resources.keep(received::release);
        resources.keep(credits::left);
        return resources;
    }

    private void close() {
        if (!closing) {
            closing = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: closing, the peer makes more calls than it was granted, or takes no answers",
                    link.name());
            link.queuePair().close();
        }
    }

    private void fetchMessage(Header.NoMessage header, CallResources resources) {
        ReadChunk whole = ReadChunk.byPosition(header.chunks().reads()).get(0L);
        PooledBuffer buffer = wholeMessage(whole, resources);
        if (whole == null || buffer == null) {
            refuse(header.xid(), "a Position Zero Read chunk that holds no call", resources);
            return;
        }
        int length = (int) whole.length();
        resources.fetcher().fetch(whole, buffer.segment(0, length), status -> {
            if (status == Completion.Status.SUCCESS) {
                dispatch(header.xid(), buffer.buffer().slice(0, length), header.chunks(), resources);
            } else {
                resources.release();
            }
        });
    }

    private static @Nullable PooledBuffer wholeMessage(@Nullable ReadChunk whole, CallResources resources) {
        if (whole == null || whole.length() < MessageType.MINIMUM_LENGTH) {
            return null;
        }
        try {
            return resources.acquire((int) whole.length());
        } catch (RdmaException exhausted) {
            LOG.log(System.Logger.Level.WARNING, "a Long Call has to be refused: " + exhausted.getMessage());
            return null;
        }
    }

    private void dispatch(int xid, ByteBuffer message, ChunkLists chunks, CallResources resources) {
        SortedMap<Long, ReadChunk> arguments = ReadChunk.byPosition(chunks.reads());
        arguments.remove(0L);
        ArgumentItems items = new ArgumentItems(arguments, resources);
        dispatcher.dispatch(new IncomingRdmaCall(connection, xid, message, chunks, items, resources, replier));
    }

    private void refuse(int xid, String why, CallResources resources) {
        LOG.log(System.Logger.Level.DEBUG, "{0}: refused: {1}", link.call(xid), why);
        replier.refuseChunks(xid, resources);
    }
}
