// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.emplace.xdr.XdrCodec.Reader;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrValue;

/** Emplace's generated code on direct memory, as with the RDMA transport, which reuses encoders and decoders. */
final class EmplaceCodec implements Codec {
    private final Reader<? extends XdrValue> reader;
    private final XdrValue value;
    private final ByteBuffer message;
    private final ByteBuffer sink;
    private final XdrEncoder.Memory memory;
    private final XdrEncoder out;
    private final XdrDecoder in;
    private int encodedLength;

    EmplaceCodec(byte[] message, Reader<? extends XdrValue> reader) throws XdrException {
        this.reader = reader;
        this.message =
                ByteBuffer.allocateDirect(message.length).put(message).flip().asReadOnlyBuffer();
        sink = ByteBuffer.allocateDirect(message.length);
        memory = (encoded, length) -> sink.put(0, encoded, 0, length);
        out = new XdrEncoder(memory);
        in = new XdrDecoder(this.message);
        value = decode();
    }

    @Override
    public int encode() throws IOException {
        out.restart(memory);
        value.encode(out);
        encodedLength = out.finish().streamLength();
        return encodedLength;
    }

    @Override
    public XdrValue decode() throws XdrException {
        in.restart(message.clear());
        return reader.read(in);
    }

    @Override
    public byte[] encoded() {
        byte[] bytes = new byte[encodedLength];
        sink.get(0, bytes);
        return bytes;
    }
}
