// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.emplace.compiler.model.XdrType;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;

/**
 * A type that both our generated code and rpcgen's can code.
 *
 * @param name what it is for, for messages
 * @param type its definition
 * @param cType the C type of its values
 * @param cRoutine the C routine that codes it
 * @param codec ours
 */
record SharedType<T>(String name, XdrType type, String cType, String cRoutine, XdrCodec<T> codec) {

    /** What our code encodes after it has decoded {@code encoding}, in hex. */
    String recoded(XdrOpaque encoding) throws Exception {
        XdrEncoder out = XdrEncoder.onHeap();
        codec.writer().write(out, decode(encoding));
        EncodedMessage message = out.finish();
        StringBuilder hex = new StringBuilder();
        for (ByteBuffer piece : message.unreduced()) {
            byte[] bytes = new byte[piece.remaining()];
            piece.get(bytes);
            hex.append(HexFormat.of().formatHex(bytes));
        }
        return hex.toString();
    }

    T decode(XdrOpaque encoding) throws XdrException {
        XdrDecoder in = new XdrDecoder(ByteBuffer.wrap(encoding.bytes()));
        T value = codec.reader().read(in);
        in.requireEnd();
        return value;
    }

    @Override
    public String toString() {
        return name;
    }
}
