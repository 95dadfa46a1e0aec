// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import org.emplace.rdma.RdmaException;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.transport.IncomingCall;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.PooledStream;
import org.emplace.rpcrdma.memory.RegionPayload;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.jspecify.annotations.Nullable;

/** A call that came over RDMA. */
final class IncomingRdmaCall implements IncomingCall {
    private final RpcConnection connection;
    private final ByteBuffer message;
    private final ChunkLists chunks;
    private final ArgumentItems arguments;
    private final CallResources resources;
    private final Replier replier;
    private final int xid;
    private @Nullable PooledStream reply;

    /**
     * @param message the RPC message without what is in the Read chunks
     * @param arguments what is in them
     */
    IncomingRdmaCall(
            RpcConnection connection,
            int xid,
            ByteBuffer message,
            ChunkLists chunks,
            ArgumentItems arguments,
            CallResources resources,
            Replier replier) {
        this.connection = connection;
        this.xid = xid;
        this.message = message;
        this.chunks = chunks;
        this.arguments = arguments;
        this.resources = resources;
        this.replier = replier;
    }

    @Override
    public RpcConnection connection() {
        return connection;
    }

    @Override
    public void whenOver(Runnable action) {
        resources.keep(action);
    }

    @Override
    public XdrDecoder message() {
        return new XdrDecoder(message, arguments);
    }

    @Override
    public EligibleItems arguments() {
        return arguments;
    }

    @Override
    public boolean chunksConsumed() {
        return arguments.allTaken();
    }

    @Override
    public int writeChunksOffered() {
        return chunks.writes().size();
    }

    @Override
    public XdrEncoder newReply() {
        discardReply();
        PooledStream stream = replier.newStream();
        reply = stream;
        return new XdrEncoder(stream);
    }

    @Override
    public void reply(EncodedMessage message) {
        PooledStream stream = reply;
        if (stream == null) {
            throw new IllegalStateException("the reply was not encoded by newReply()");
        }
        reply = null;
        replier.reply(xid, message, stream, chunks, resources);
    }

    @Override
    public void refuseChunks() {
        discardReply();
        replier.refuseChunks(xid, resources);
    }

    @Override
    public void drop() {
        discardReply();
        resources.answer(resources::release);
    }

    @Override
    public Payload readFrom(FileChannel file, long offset, int max) throws IOException {
        resources.lifetime().useBegins();
        try {
            int wanted = (int) Math.min(max, Math.max(0, file.size() - offset));
            PooledBuffer buffer = resources.acquire(wanted);
            ByteBuffer sink = buffer.buffer().limit(wanted);
            while (sink.hasRemaining() && file.read(sink, offset + sink.position()) >= 0) {
                // The end of the file may come early, when somebody truncates it.
            }
            return new RegionPayload(resources.link().memory(), buffer.segment(0, sink.position()));
        } finally {
            resources.lifetime().useEnded();
        }
    }

    @Override
    public ByteBuffer buffer(int size) {
        try {
            return resources.acquire(size).buffer().slice(0, size);
        } catch (RdmaException exhausted) {
            throw new UncheckedIOException(exhausted);
        }
    }

    private void discardReply() {
        Optional.ofNullable(reply).ifPresent(PooledStream::release);
        reply = null;
    }
}
