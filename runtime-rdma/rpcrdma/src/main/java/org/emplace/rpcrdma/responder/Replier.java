// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rpc.transport.CallTally;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.header.HeaderCodec;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.memory.MessageMemory;
import org.emplace.rpcrdma.memory.PooledStream;
import org.emplace.xdr.EncodedMessage;

/** Sends the answers of a responder: RDMA Writes for what goes by chunks, then the Send that tells of them. */
final class Replier {
    private static final System.Logger LOG = System.getLogger(Replier.class.getName());

    private final Link link;

    Replier(Link link) {
        this.link = link;
    }

    /** Memory to encode a reply into. */
    PooledStream newStream() {
        return new PooledStream(link.memory().pool(), link.thresholds().send());
    }

    /**
     * Answers a call by a reply message, or by ERR_CHUNK where that fits nothing that was offered.
     *
     * @param stream the memory that the message was encoded into; given back when the answer has left, as is the call's
     */
    void reply(int xid, EncodedMessage message, PooledStream stream, ChunkLists offered, CallResources call) {
        MessageMemory memory = new MessageMemory(link.memory(), stream, new CallTally());
        call.keep(memory::release);
        // The results may be payloads of the user's own, which can fail in any way.
        try {
            Optional<ReplyForm> form = ReplyForm.of(
                    message, offered, xid, grant(), link.thresholds().send());
            if (form.isEmpty()) {
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "{0}: the reply of {1} bytes fits nothing that the call offered",
                        link.call(xid),
                        message.unreducedLength());
                refuseChunks(xid, call);
                return;
            }
            long batch = link.sends().newBatch();
            List<WorkRequest> work = work(batch, form.get(), memory, offered);
            call.answer(() -> post(batch, work, call));
        } catch (IOException | RuntimeException unsendable) {
            LOG.log(System.Logger.Level.WARNING, link.call(xid) + ": the reply cannot be sent", unsendable);
            refuseChunks(xid, call);
        }
    }

    /** Answers with RDMA_ERROR, ERR_CHUNK. */
    void refuseChunks(int xid, CallResources call) {
        call.answer(() -> sendAlone(new Header.ChunkError(xid, grant()), call));
    }

    /** Answers with RDMA_ERROR, ERR_VERS. */
    void refuseVersion(int xid, CallResources call) {
        Header error = new Header.VersionError(xid, grant(), HeaderCodec.VERSION, HeaderCodec.VERSION);
        call.answer(() -> sendAlone(error, call));
    }

    private int grant() {
        return link.receives().credits().grant();
    }

    private List<WorkRequest> work(long batch, ReplyForm form, MessageMemory memory, ChunkLists offered)
            throws IOException {
        List<WorkRequest> work = new ArrayList<>();
        for (ReplyForm.Placement placement : form.placed()) {
            MemorySegment item = memory.chunk(placement.item());
            work.addAll(new Gather(List.of(item)).writesInto(placement.chunk(), batch));
        }
        if (form.header() instanceof Header.NoMessage) {
            Gather rest = new Gather(memory.inPlace(form.pieces()));
            work.addAll(rest.writesInto(offered.reply().orElseThrow(), batch));
            work.add(new WorkRequest.Send(batch, memory.headerAlone(form.header()), invalidate(offered)));
        } else {
            work.add(new WorkRequest.Send(batch, memory.inline(form.header(), form.pieces()), invalidate(offered)));
        }
        return work;
    }

    /** The one STag that the call offered, if the peer lets it be invalidated. */
    private OptionalInt invalidate(ChunkLists offered) {
        if (offered.isEmpty()
                || !link.peerTakesInvalidation()
                || !link.queuePair().sendsInvalidate()) {
            return OptionalInt.empty();
        }
        int[] stags = offered.stags().limit(2).toArray();
        return stags.length == 1 ? OptionalInt.of(stags[0]) : OptionalInt.empty();
    }

    private void sendAlone(Header header, CallResources call) {
        MessageMemory memory = new MessageMemory(link.memory(), newStream(), new CallTally());
        call.keep(memory::release);
        try {
            long batch = link.sends().newBatch();
            post(batch, List.of(new WorkRequest.Send(batch, memory.headerAlone(header), OptionalInt.empty())), call);
        } catch (IOException exhausted) {
            LOG.log(System.Logger.Level.WARNING, link.name() + ": no memory for an answer, closing", exhausted);
            call.release();
            link.queuePair().close();
        }
    }

    private void post(long batch, List<WorkRequest> work, CallResources call) {
        link.sends().post(batch, work, ended -> call.release());
    }
}
