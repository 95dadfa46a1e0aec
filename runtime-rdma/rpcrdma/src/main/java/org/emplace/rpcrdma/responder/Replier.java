// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rpc.transport.LogSampler;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.HeaderCodec;
import org.emplace.rpcrdma.header.HeaderSize;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.memory.OutgoingMessage;
import org.emplace.xdr.EncodedMessage;

/** Sends the replies of a responder: RDMA Writes into the chunks, then a Send with the header. */
final class Replier {
    private static final System.Logger LOG = System.getLogger(Replier.class.getName());

    /** The most segments of a chunk's memory: no limit, because an RDMA Write gathers any number of pieces. */
    private static final int ANY_NUMBER = Integer.MAX_VALUE;

    private final Link link;
    private final LogSampler unsent = new LogSampler();

    Replier(Link link) {
        this.link = link;
    }

    /**
     * Answers a call with a reply message, or with ERR_CHUNK if the message does not fit the call's chunks.
     *
     * @param memory the memory of the encoded message, which belongs to the call
     */
    void reply(IncomingRdmaCall call, EncodedMessage message, OutgoingMessage memory) {
        // The results may have payloads that the application implements, which can fail in any way.
        try {
            ChunkLists offered = call.chunks();
            int threshold = link.thresholds().send();
            if (offered.isEmpty() && HeaderSize.of(offered) + message.unreducedLength() <= threshold) {
                send(call, memory.inline(new Header.Message(call.xid(), grant(call), offered), message));
                return;
            }
            Optional<ReplyForm> form = ReplyForm.of(message, offered, call.xid(), grant(call), threshold);
            if (form.isPresent()) {
                long id = link.sends().newId();
                List<WorkRequest> work = work(id, form.get(), memory, offered);
                call.answer(() -> link.sends().post(id, work, call));
                return;
            }
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "{0}: the reply of {1} bytes fits neither inline nor in the chunks of the call",
                    call,
                    message.unreducedLength());
        } catch (IOException | RuntimeException | Error unsendable) {
            unsent.event(count -> LOG.log(
                    System.Logger.Level.WARNING,
                    call + ": cannot send the reply; such replies on this connection so far: " + count,
                    unsendable));
        }
        refuseChunks(call);
    }

    private void send(IncomingRdmaCall call, List<MemorySegment> gather) {
        WorkRequest send = new WorkRequest.Send(link.sends().newId(), gather, OptionalInt.empty());
        call.answer(() -> link.sends().post(send, call));
    }

    private List<WorkRequest> work(long id, ReplyForm form, OutgoingMessage memory, ChunkLists offered)
            throws IOException {
        List<WorkRequest> work = new ArrayList<>(2);
        for (ReplyForm.Placement placement : form.placed()) {
            Gather item = new Gather(memory.chunk(placement.item(), ANY_NUMBER));
            work.addAll(item.writesInto(placement.chunk(), id));
        }
        if (form.header() instanceof Header.NoMessage) {
            Gather rest = new Gather(memory.chunk(form.pieces(), ANY_NUMBER));
            work.addAll(rest.writesInto(offered.reply().orElseThrow(), id));
            work.add(new WorkRequest.Send(id, memory.headerAlone(form.header()), invalidate(offered)));
        } else {
            work.add(new WorkRequest.Send(id, memory.inline(form.header(), form.pieces()), invalidate(offered)));
        }
        return work;
    }

    /** Answers with RDMA_ERROR and ERR_CHUNK. */
    void refuseChunks(IncomingRdmaCall call) {
        call.answer(() -> sendAlone(new Header.ChunkError(call.xid(), grant(call)), call));
    }

    /** Answers with RDMA_ERROR and ERR_VERS. */
    void refuseVersion(IncomingRdmaCall call) {
        Header error = new Header.VersionError(call.xid(), grant(call), HeaderCodec.VERSION, HeaderCodec.VERSION);
        call.answer(() -> sendAlone(error, call));
    }

    private int grant(IncomingRdmaCall call) {
        return link.receives().credits().grant(call.requestedCredits());
    }

    /**
     * The STag to invalidate: that of all segments of the call, if there is only one and the peer permits invalidation.
     */
    private OptionalInt invalidate(ChunkLists offered) {
        if (offered.isEmpty()
                || !link.peerTakesInvalidation()
                || !link.queuePair().sendsInvalidate()) {
            return OptionalInt.empty();
        }
        return offered.onlyStag();
    }

    private void sendAlone(Header header, IncomingRdmaCall call) {
        OutgoingMessage memory = call.newMessage();
        try {
            WorkRequest send =
                    new WorkRequest.Send(link.sends().newId(), memory.headerAlone(header), OptionalInt.empty());
            link.sends().post(send, call);
        } catch (IOException exhausted) {
            link.lost()
                    .event(count -> LOG.log(
                            System.Logger.Level.WARNING,
                            link.name() + ": closed, because there is no memory for a reply; such connections so far: "
                                    + count,
                            exhausted));
            call.release();
            link.queuePair().close();
        }
    }
}
