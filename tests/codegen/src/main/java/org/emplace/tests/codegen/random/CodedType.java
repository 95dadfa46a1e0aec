// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.emplace.compiler.binding.TypeClauses;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.XdrType;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;

/**
 * Types of a protocol, with the generated code that codes one value of each in turn.
 *
 * @param name for messages
 * @param clauses which types have a different form in Java
 * @param types one type, or those of a procedure's arguments
 */
public record CodedType<T>(
        String name, Protocol protocol, TypeClauses clauses, List<XdrType> types, XdrCodec<T> codec) {

    /** Decodes {@code encoding}. Returns the value encoded again, and as text in the form of {@link RandomValue}. */
    public Recoded recoded(XdrOpaque encoding) throws IOException {
        T value = decode(encoding);
        return new Recoded(hex(encoded(value)), ValueText.of(value, types, protocol, clauses));
    }

    /** A value, decoded and encoded again. */
    public record Recoded(String hex, String text) {}

    /** Decodes a value that takes all of the bytes. */
    public T decode(XdrOpaque encoding) throws XdrException {
        XdrDecoder in = new XdrDecoder(encoding.asReadOnlyBuffer());
        T value = codec.reader().read(in);
        in.requireEnd();
        return value;
    }

    /** Encodes a value. */
    public EncodedMessage encoded(T value) {
        XdrEncoder out = XdrEncoder.onHeap();
        codec.writer().write(out, value);
        return out.finish();
    }

    /** The whole message in hexadecimal, payloads included. */
    public static String hex(EncodedMessage message) throws IOException {
        StringBuilder hex = new StringBuilder();
        for (ByteBuffer piece : message.unreduced()) {
            byte[] bytes = new byte[piece.remaining()];
            piece.duplicate().get(bytes);
            hex.append(HexFormat.of().formatHex(bytes));
        }
        return hex.toString();
    }

    @Override
    public String toString() {
        return name;
    }
}
