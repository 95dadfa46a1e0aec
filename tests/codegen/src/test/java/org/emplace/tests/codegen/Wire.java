// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpc.ResultPlaces.Limits;
import org.emplace.tests.codegen.random.CodedType;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrCodec.Reader;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrValue;

/** Converts values to and from the hexadecimal of their encoding. */
final class Wire {
    private Wire() {}

    /** The whole encoding, payloads included. */
    static String hex(XdrValue value) {
        try {
            return CodedType.hex(encoded(value));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static EncodedMessage encoded(XdrValue value) {
        XdrEncoder out = XdrEncoder.onHeap();
        value.encode(out);
        return out.finish();
    }

    /** Decodes hexadecimal, ignoring spaces; the value must take all bytes. */
    static <T> T value(String hex, Reader<T> reader) throws XdrException {
        XdrDecoder in = new XdrDecoder(ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", ""))));
        T value = reader.read(in);
        in.requireEnd();
        return value;
    }

    /** The largest size of each result that may take a Write chunk, in stream order; at most what a buffer holds. */
    static <A, R> List<Long> sizes(Procedure<A, R> procedure, A arguments) {
        Limits limits = new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, 0);
        ResultPlaces<R> places = ResultPlaces.of(procedure.binding(), arguments, Destinations.none(), limits);
        return IntStream.range(0, places.count())
                .mapToObj(i -> (long) places.get(i).room())
                .toList();
    }
}
