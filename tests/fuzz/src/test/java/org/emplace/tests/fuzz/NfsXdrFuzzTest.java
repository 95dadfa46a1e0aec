// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.emplace.rpc.Procedure;
import org.emplace.samples.nfs.protocol.Mount3;
import org.emplace.samples.nfs.protocol.Nfs3;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/**
 * Generated code for NFS and MOUNT: a value that was read is the same once written and read again, and takes the same bytes; all else is refused with
 * an {@link XdrException}.
 */
class NfsXdrFuzzTest {
    private static final List<XdrCodec<?>> CODECS = codecs();

    private static List<XdrCodec<?>> codecs() {
        List<XdrCodec<?>> codecs = new ArrayList<>();
        for (Class<?> program : List.of(Nfs3.class, Mount3.class)) {
            for (Field field : program.getFields()) {
                if (field.getType() == Procedure.class) {
                    Procedure<?, ?> procedure = procedure(field);
                    codecs.add(procedure.arguments());
                    codecs.add(procedure.results());
                }
            }
        }
        assertThat(codecs).hasSizeGreaterThan(50);
        return codecs;
    }

    private static Procedure<?, ?> procedure(Field field) {
        try {
            return (Procedure<?, ?>) Objects.requireNonNull(field.get(null));
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void valuesSurviveTheirEncoding(FuzzedDataProvider data) throws IOException {
        XdrCodec<?> codec = CODECS.get(data.consumeInt(0, CODECS.size() - 1));
        check(codec, data.consumeRemainingAsBytes());
    }

    private static <T> void check(XdrCodec<T> codec, byte[] bytes) throws IOException {
        XdrDecoder in = new XdrDecoder(ByteBuffer.wrap(bytes));
        T value;
        try {
            value = codec.reader().read(in);
        } catch (XdrException malformed) {
            return;
        }
        EncodedMessage message = encode(codec, value);
        ByteBuffer written = joined(message);
        assertThat((long) written.remaining()).isEqualTo(in.streamPosition());
        T again = codec.reader().read(new XdrDecoder(written.duplicate()));
        assertThat(joined(encode(codec, again))).isEqualTo(written);
        // Two payloads of the same bytes are not equal, nor are the values that they are in.
        if (message.marks().isEmpty()) {
            assertThat(again).isEqualTo(value);
        }
    }

    private static <T> EncodedMessage encode(XdrCodec<T> codec, T value) {
        XdrEncoder out = XdrEncoder.onHeap();
        codec.writer().write(out, value);
        return out.finish();
    }

    private static ByteBuffer joined(EncodedMessage message) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(message.unreducedLength()));
        message.unreduced().forEach(all::put);
        return all.flip();
    }

    /** Read chunks stand where the fuzzer says, as long as the fuzzer says (RFC 8166 section 3.4.5). */
    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void chunksAreTakenAtTheirPositionsOrRefused(FuzzedDataProvider data) {
        XdrCodec<?> codec = CODECS.get(data.consumeInt(0, CODECS.size() - 1));
        long position = data.consumeInt(0, 200);
        int chunkLength = data.consumeInt(0, 64);
        byte[] bytes = data.consumeRemainingAsBytes();
        XdrDecoder in = new XdrDecoder(ByteBuffer.wrap(bytes));
        in.eligible(true);
        in.eligibleItems(new EligibleItems() {
            @Override
            public @Nullable Payload chunkAt(long at, long length) throws XdrException {
                if (at != position) {
                    return null;
                }
                if (length != UNKNOWN_LENGTH && length != chunkLength) {
                    throw new XdrException("the chunk has another length");
                }
                return Payload.of(ByteBuffer.allocate(chunkLength));
            }

            @Override
            public Payload inline(ByteBuffer stream, int length) {
                return Payload.of(stream.slice(stream.position(), length));
            }
        });
        try {
            codec.reader().read(in);
            in.requireEnd();
        } catch (XdrException malformed) {
            // What a peer may bring about.
        }
    }
}
