// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.emplace.rdma.Completion;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rpc.transport.Timekeeper;
import org.emplace.rpcrdma.header.ReadChunk;
import org.emplace.rpcrdma.link.Link;

/** Pulls Read chunks from a requester's memory. */
final class ChunkFetcher {
    private final Link link;

    ChunkFetcher(Link link) {
        this.link = link;
    }

    /**
     * Reads the first bytes of a chunk, as many as the sink has. A peer that does not let them come loses the connection.
     *
     * @param ended called once, on a provider's thread or at once where there is nothing to read
     */
    void fetch(ReadChunk chunk, MemorySegment sink, Consumer<Completion.Status> ended) {
        if (sink.length() == 0) {
            ended.accept(Completion.Status.SUCCESS);
            return;
        }
        Timekeeper.Timer patience = link.time().after(link.patience(), link.queuePair()::close);
        long id = link.sends().newId();
        link.sends().post(id, reads(chunk, sink, id), status -> {
            patience.cancel();
            ended.accept(status);
        });
    }

    private static List<WorkRequest> reads(ReadChunk chunk, MemorySegment sink, long id) {
        List<WorkRequest> reads = new ArrayList<>();
        int done = 0;
        for (RemoteSegment source : chunk.segments()) {
            int length = (int) Math.min(source.length(), sink.length() - done);
            if (length > 0) {
                RemoteSegment part = new RemoteSegment(source.stag(), source.offset(), length);
                reads.add(new WorkRequest.Read(id, Gather.part(sink, done, length), part));
                done += length;
            }
        }
        return reads;
    }
}
