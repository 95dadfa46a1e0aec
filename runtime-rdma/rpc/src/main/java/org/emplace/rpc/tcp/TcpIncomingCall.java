// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Predicate;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.message.MessageType;
import org.emplace.rpc.transport.IncomingCall;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;

/** A call that came in a record. There are no chunks. */
final class TcpIncomingCall implements IncomingCall {
    private final TcpConnection connection;
    private final ByteBuffer record;
    private final RecordArguments arguments = new RecordArguments();
    private Runnable whenOver = () -> {};

    TcpIncomingCall(TcpConnection connection, ByteBuffer record) {
        this.connection = connection;
        this.record = record;
    }

    @Override
    public RpcConnection connection() {
        return connection;
    }

    @Override
    public void whenOver(Runnable action) {
        whenOver = action;
    }

    @Override
    public XdrDecoder message() {
        return new XdrDecoder(record, arguments);
    }

    @Override
    public boolean fetchArguments(Predicate<EligibleItems> decoding, Runnable next) {
        return false;
    }

    @Override
    public boolean chunksConsumed() {
        return true;
    }

    @Override
    public int readChunks() {
        return 0;
    }

    @Override
    public int writeChunksOffered() {
        return 0;
    }

    @Override
    public XdrEncoder newReply() {
        return XdrEncoder.onHeap();
    }

    @Override
    public void reply(EncodedMessage reply) {
        // The reply may hold payloads of the arguments; they are gathered before they stop being valid.
        connection.reply(MessageType.xidOf(record), reply, this::over);
        arguments.answered();
    }

    @Override
    public void refuseChunks() {
        throw new IllegalStateException("a call over TCP has no chunks to refuse");
    }

    @Override
    public void refuseMalformed() {
        drop();
    }

    @Override
    public void drop() {
        arguments.answered();
        over();
    }

    private void over() {
        connection.answered();
        whenOver.run();
    }

    @Override
    public Payload readFrom(FileChannel file, long offset, int max) throws IOException {
        long available = Math.max(0, file.size() - offset);
        ByteBuffer bytes = buffer((int) Math.min(max, available));
        while (bytes.hasRemaining() && file.read(bytes, offset + bytes.position()) >= 0) {
            // Until the buffer is full, or the file ends earlier than it said.
        }
        return Payload.of(bytes.flip());
    }

    @Override
    public ByteBuffer buffer(int size) {
        return ByteBuffer.allocateDirect(size);
    }
}
