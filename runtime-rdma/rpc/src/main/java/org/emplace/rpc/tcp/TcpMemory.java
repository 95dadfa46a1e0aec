// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.nio.ByteBuffer;
import org.emplace.rpc.MemoryDomain;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.xdr.Payload;

/** Memory for TCP, which needs no registration. */
final class TcpMemory implements MemoryDomain {

    @Override
    public RegisteredBuffer register(ByteBuffer direct) {
        if (!direct.isDirect() || direct.isReadOnly()) {
            throw new IllegalArgumentException("only a direct, writable buffer can be registered: " + direct);
        }
        return new Plain(direct.slice());
    }

    private static final class Plain implements RegisteredBuffer {
        private final ByteBuffer bytes;
        private volatile boolean closed;

        Plain(ByteBuffer bytes) {
            this.bytes = bytes;
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
            if (closed) {
                throw new IllegalStateException("the buffer is no longer registered");
            }
            return Payload.of(bytes.slice(offset, length));
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
