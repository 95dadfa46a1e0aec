// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr;

import java.io.IOException;
import java.util.function.Supplier;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrBufferDecodingStream;
import org.acplt.oncrpc.XdrBufferEncodingStream;

/** The classes of {@code org.acplt:oncrpc}, with its streams over byte arrays. */
final class OncRpcCodec implements Codec {
    private final Supplier<? extends XdrAble> empty;
    private final XdrBufferDecodingStream in;
    private final XdrBufferEncodingStream out;
    private final XdrAble value;

    OncRpcCodec(byte[] message, Supplier<? extends XdrAble> empty) throws IOException {
        this.empty = empty;
        in = new XdrBufferDecodingStream(message);
        out = new XdrBufferEncodingStream(2 * message.length);
        value = decode();
    }

    @Override
    public int encode() throws IOException {
        try {
            out.beginEncoding(null, 0);
            value.xdrEncode(out);
            out.endEncoding();
            return out.getXdrLength();
        } catch (OncRpcException e) {
            throw new IOException(e);
        }
    }

    @Override
    public XdrAble decode() throws IOException {
        try {
            XdrAble decoded = empty.get();
            in.beginDecoding();
            decoded.xdrDecode(in);
            in.endDecoding();
            return decoded;
        } catch (OncRpcException e) {
            throw new IOException(e);
        }
    }

    @Override
    public byte[] encoded() {
        byte[] bytes = new byte[out.getXdrLength()];
        System.arraycopy(out.getXdrData(), 0, bytes, 0, bytes.length);
        return bytes;
    }
}
