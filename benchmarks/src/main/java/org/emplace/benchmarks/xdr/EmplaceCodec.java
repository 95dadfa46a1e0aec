// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrReader;
import org.emplace.xdr.XdrValue;
import org.jspecify.annotations.Nullable;

/** Generated code, on memory outside the heap as a transport's is. */
final class EmplaceCodec implements Codec {
    private final XdrReader<? extends XdrValue> reader;
    private final XdrValue value;
    private final ByteBuffer message;
    private final ByteBuffer sink;
    private int encodedLength;

    EmplaceCodec(byte[] message, XdrReader<? extends XdrValue> reader) throws XdrException {
        this.reader = reader;
        this.message =
                ByteBuffer.allocateDirect(message.length).put(message).flip().asReadOnlyBuffer();
        sink = ByteBuffer.allocateDirect(2 * message.length);
        value = decode();
    }

    @Override
    public int encode() throws IOException {
        XdrEncoder out = new XdrEncoder(this::buffer);
        value.encode(out);
        encodedLength = out.finish().stream().limit();
        return encodedLength;
    }

    private ByteBuffer buffer(@Nullable ByteBuffer full, int minimumCapacity) {
        if (full != null || minimumCapacity > sink.capacity()) {
            throw new IllegalStateException("the buffer is too small for " + minimumCapacity + " bytes");
        }
        return sink.clear();
    }

    @Override
    public XdrValue decode() throws XdrException {
        return reader.read(new XdrDecoder(message));
    }

    @Override
    public byte[] encoded() {
        byte[] bytes = new byte[encodedLength];
        sink.get(0, bytes);
        return bytes;
    }
}
