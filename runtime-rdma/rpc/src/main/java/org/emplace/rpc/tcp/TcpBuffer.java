// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.xdr.Payload;

/** A registered buffer for TCP, which needs no registration. */
final class TcpBuffer implements RegisteredBuffer {
    private final ByteBuffer bytes;
    private volatile boolean closed;

    private TcpBuffer(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** See {@link org.emplace.rpc.MemoryDomain#register}. */
    static RegisteredBuffer register(ByteBuffer direct) {
        if (!direct.isDirect() || direct.isReadOnly()) {
            throw new IllegalArgumentException("only a direct, writable buffer can be registered: " + direct);
        }
        return new TcpBuffer(direct.slice());
    }

    @Override
    public ByteBuffer buffer() {
        return bytes.duplicate();
    }

    @Override
    public int length() {
        return bytes.capacity();
    }

    @Override
    public Payload payload(int offset, int length) {
        requireOpen();
        return Payload.of(bytes.slice(offset, length));
    }

    @Override
    public CompletionStage<Void> fetch(Payload payload, int offset) {
        requireOpen();
        return payload.fetchInto(bytes.slice(offset, Math.toIntExact(payload.length())));
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the buffer is no longer registered");
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
