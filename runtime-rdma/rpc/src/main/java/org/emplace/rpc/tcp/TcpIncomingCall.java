// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.emplace.reactor.Peer;
import org.emplace.rpc.MemoryExhaustedException;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.message.MessageHeader;
import org.emplace.rpc.server.IncomingCall;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.jspecify.annotations.Nullable;

/** A call that came in a record, without chunks. The payloads of its arguments are in the record, and are valid until the call is answered. */
final class TcpIncomingCall implements IncomingCall, EligibleItems {
    /** The longest array of a reply that does not count toward the share, in bytes. The number of calls bounds these. */
    private static final int UNCOUNTED_REPLY = 512;

    private final TcpConnection connection;
    private final ByteBuffer record;
    private volatile boolean answered;
    private Runnable whenOver = () -> {};
    /** The bytes that the reply has of the connection's share. */
    private long shared;

    /** The buffers of the reply's results. */
    private List<ByteBuffer> buffers = List.of();

    private boolean over;

    TcpIncomingCall(TcpConnection connection, ByteBuffer record) {
        this.connection = connection;
        this.record = record;
    }

    @Override
    public ServerCall.Connection connection() {
        return connection;
    }

    @Override
    public Peer peer() {
        return connection.share().peer();
    }

    @Override
    public void whenOver(Runnable action) {
        whenOver = action;
    }

    @Override
    public XdrDecoder message() {
        return new XdrDecoder(record, this);
    }

    @Override
    public long length() {
        return record.remaining();
    }

    @Override
    public XdrEncoder newReply() {
        return new XdrEncoder(this::place);
    }

    /**
     * Sends a short reply from the encoder's array, because the encoder writes no other reply. A long one, such as a
     * listing, is copied without the unused rest of that array. It counts toward the share, because the peer may not
     * accept it.
     */
    private ByteBuffer place(byte[] reply, int length) {
        byte[] placed = reply;
        if (reply.length > UNCOUNTED_REPLY) {
            charge(length);
            placed = Arrays.copyOf(reply, length);
        }
        return ByteBuffer.wrap(placed, 0, length);
    }

    @Override
    public void reply(EncodedMessage reply) {
        // The reply may hold payloads of the arguments; they are gathered before they stop being valid.
        connection.reply(MessageHeader.xidOf(record), reply, this::over);
        answered = true;
    }

    @Override
    public void refuseMalformed() {
        drop();
    }

    @Override
    public void drop() {
        answered = true;
        synchronized (this) {
            // A reply that failed may still wait to be written, and its buffers must not become another call's.
            buffers = List.of();
        }
        over();
    }

    private void over() {
        List<ByteBuffer> unused;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            unused = buffers;
        }
        try {
            connection.share().uncharge(shared);
        } finally {
            try {
                connection.answered(record);
            } finally {
                whenOver.run();
            }
        }
        for (ByteBuffer buffer : unused) {
            connection.replyBuffers().release(buffer);
        }
    }

    @Override
    public Payload readFrom(FileChannel file, long offset, int max) throws IOException {
        long available = Math.max(0, file.size() - offset);
        int size = (int) Math.min(max, available);
        ByteBuffer buffer = acquire(size);
        ByteBuffer bytes = buffer.slice(0, size);
        while (bytes.hasRemaining() && file.read(bytes, offset + bytes.position()) >= 0) {
            // Until the buffer is full, or the file ends earlier than it said.
        }
        // Not before: if another thread answers the call meanwhile, the buffer must not become another call's.
        keep(buffer);
        return Payload.of(bytes.flip());
    }

    @Override
    public ByteBuffer buffer(int size) {
        ByteBuffer buffer = acquire(size);
        keep(buffer);
        return buffer.slice(0, size);
    }

    /** A buffer with room for {@code size} bytes. */
    private ByteBuffer acquire(int size) {
        int capacity = ReplyBuffers.capacity(size);
        charge(capacity);
        // Without the lock, which an event loop takes when the call is over.
        try {
            return connection.replyBuffers().acquire(capacity);
        } catch (OutOfMemoryError exhausted) {
            throw new MemoryExhaustedException(
                    new IOException("no memory for " + size + " bytes of a reply", exhausted));
        }
    }

    /** Remembers a buffer to give it back, unless the call is over and its handler at fault. */
    private synchronized void keep(ByteBuffer buffer) {
        if (!over) {
            if (buffers.isEmpty()) {
                buffers = new ArrayList<>(1);
            }
            buffers.add(buffer);
        }
    }

    private synchronized void charge(int size) {
        if (answered || over) {
            throw new IllegalStateException("the call has been answered");
        }
        connection.share().requirePossible(size);
        try {
            connection.share().charge(size);
        } catch (IOException refused) {
            throw new MemoryExhaustedException(refused);
        }
        shared += size;
    }

    @Override
    public @Nullable Payload chunkAt(long position, long length) {
        return null;
    }

    @Override
    public Payload inline(ByteBuffer stream, int length) {
        return new Argument(Payload.of(stream.slice(stream.position(), length)));
    }

    private final class Argument implements Payload {
        private final Payload bytes;

        Argument(Payload bytes) {
            this.bytes = bytes;
        }

        @Override
        public long length() {
            return bytes.length();
        }

        @Override
        public ByteBuffer buffer() throws IOException {
            requireUnanswered();
            return bytes.buffer();
        }

        @Override
        public CompletionStage<Void> fetchInto(ByteBuffer sink) {
            requireUnanswered();
            return bytes.fetchInto(sink);
        }

        private void requireUnanswered() {
            if (answered) {
                throw new IllegalStateException("a payload of the arguments was used after its call had been answered");
            }
        }

        @Override
        public String toString() {
            return bytes.toString();
        }
    }
}
