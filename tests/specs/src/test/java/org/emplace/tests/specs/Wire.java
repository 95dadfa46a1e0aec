// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.specs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpc.ResultPlaces.Limits;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec.Reader;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrValue;

/** Compares values with the hexadecimal of their encoding; spaces are ignored. */
final class Wire {
    private Wire() {}

    /** Asserts that the value is encoded to these bytes, and decoded from them. */
    static <T extends XdrValue> void assertWire(T value, Reader<T> reader, String hex) throws IOException {
        assertThat(hex(encoded(value))).isEqualTo(hex.replace(" ", ""));
        assertThat(decoded(hex, reader)).isEqualTo(value);
    }

    /** The same for a value with payloads, which have no equals: asserts that decoding and encoding returns the bytes. */
    static <T extends XdrValue> void assertPayloadWire(T value, Reader<T> reader, String hex) throws IOException {
        assertThat(hex(encoded(value))).isEqualTo(hex.replace(" ", ""));
        assertThat(hex(encoded(decoded(hex, reader)))).isEqualTo(hex.replace(" ", ""));
    }

    static EncodedMessage encoded(XdrValue value) {
        XdrEncoder out = XdrEncoder.onHeap();
        value.encode(out);
        return out.finish();
    }

    static XdrOpaque bytes(String hex) {
        return XdrOpaque.of(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    static XdrOpaque ascii(String text) {
        return XdrOpaque.of(text.getBytes(StandardCharsets.US_ASCII));
    }

    static Payload payload(String text) {
        return Payload.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static <T> T decoded(String hex, Reader<T> reader) throws IOException {
        XdrDecoder in = new XdrDecoder(bytes(hex).asReadOnlyBuffer());
        T value = reader.read(in);
        in.requireEnd();
        return value;
    }

    private static String hex(EncodedMessage message) throws IOException {
        StringBuilder hex = new StringBuilder();
        for (ByteBuffer piece : message.unreduced()) {
            byte[] bytes = new byte[piece.remaining()];
            piece.duplicate().get(bytes);
            hex.append(HexFormat.of().formatHex(bytes));
        }
        return hex.toString();
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
