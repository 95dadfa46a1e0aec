// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.emplace.xdr.XdrCodec.Reader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a decoder reports malformed input. */
class MalformedInputTest {
    private static final long UNBOUNDED = XdrDecoder.UNBOUNDED;

    @Test
    void aTruncatedMessageIsReportedWithItsPosition() {
        assertRefused("00000001 0000", in -> {
                    in.readInt();
                    return in.readInt();
                })
                .withMessage("the message ends inside an int (at byte 4)");
    }

    @Test
    void paddingIsRequired() {
        assertRefused("00000001 ff", in -> in.readOpaque(4));
        assertRefused("00000003 ffffff", in -> in.readString(4));
        assertRefused("ffff", in -> in.readFixedOpaque(2));
        assertRefused("00000001 ff", in -> in.readPayload(4));
    }

    @Test
    void theContentOfPaddingIsIgnored() {
        assertThatNoException().isThrownBy(() -> decoder("00000001 ffeeddcc").readOpaque(4));
    }

    @Test
    void aBoolIsZeroOrOne() {
        assertRefused("00000002", XdrDecoder::readBoolean);
        assertRefused("00000100", in -> in.readOptional(XdrDecoder::readInt));
    }

    @Test
    void declaredBoundsHold() {
        assertRefused("00000002 aabb0000", in -> in.readOpaque(1));
        assertRefused("00000002 aabb0000", in -> in.readString(1));
        assertRefused("00000002 aabb0000", in -> in.readPayload(1));
        assertRefused("00000002 00000001 00000002", in -> in.readArray(1, 4, XdrDecoder::readInt));
    }

    @Test
    void anEligibleArrayOfElementsWithoutBytesIsBoundedToo() {
        assertRefused("7fffffff", in -> in.readArrayItem(UNBOUNDED, from -> from.readFixedOpaque(0)))
                .withMessageContaining("2147483647 elements");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ffffffff", "fffffffc", "80000000", "7fffffff", "7ffffff8", "00000009"})
    void aLengthBeyondTheMessageIsRejectedBeforeMemoryIsAllocated(String length) {
        String input = length + "00000000 00000000";
        assertRefused(input, in -> in.readOpaque(UNBOUNDED));
        assertRefused(input, in -> in.readString(UNBOUNDED));
        assertRefused(input, in -> in.readPayload(UNBOUNDED));
        assertRefused(input, in -> in.readArray(UNBOUNDED, 4, XdrDecoder::readInt));
    }

    @Test
    void elementsWithoutBytesAreLimitedToo() {
        assertRefused("00000401", in -> in.readArray(UNBOUNDED, 0, empty -> 0));
        assertThatNoException().isThrownBy(() -> decoder("00000400").readArray(UNBOUNDED, 0, empty -> 0));
    }

    @Test
    void nestingIsLimited() {
        Reader<Integer> nesting = new Reader<>() {
            @Override
            public Integer read(XdrDecoder in) throws XdrException {
                in.enter();
                int levels = in.readOptional(this).orElse(0) + 1;
                in.leave();
                return levels;
            }
        };

        assertRefused("00000001".repeat(300) + "00000000", nesting).withMessageContaining("nest deeper than 200");
        assertThatNoException().isThrownBy(() -> nesting.read(decoder("00000001".repeat(100) + "00000000")));
    }

    @Test
    void trailingBytesAreRejected() {
        assertRefused("00000001 00000002", in -> {
                    in.readInt();
                    in.requireEnd();
                    return 0;
                })
                .withMessageContaining("4 bytes are left over");
    }

    @Test
    void randomBytesAreDecodedOrRejectedWithAnXdrException() {
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            byte[] input = new byte[random.nextInt(64)];
            random.nextBytes(input);
            for (int i = 0; i + 4 <= input.length; i += 4) {
                // Prefers small numbers: they may be valid lengths and flags.
                if (random.nextBoolean()) {
                    ByteBuffer.wrap(input).putInt(i, random.nextInt(20));
                }
            }
            readSomething(new XdrDecoder(ByteBuffer.wrap(input)), random);
        }
    }

    private static void readSomething(XdrDecoder in, Random random) {
        try {
            while (in.remaining() > 0) {
                switch (random.nextInt(6)) {
                    case 0 -> in.readOpaque(UNBOUNDED);
                    case 1 -> in.readString(16);
                    case 2 -> in.readArray(UNBOUNDED, 4, element -> element.readString(8));
                    case 3 -> in.readLinkedList(XdrDecoder::readHyper);
                    case 4 -> in.readPayload(UNBOUNDED);
                    default -> in.readOptional(XdrDecoder::readQuadruple);
                }
            }
        } catch (XdrException refused) {
            // The only exception that is allowed.
        }
    }

    private static ThrowableAssertAlternative<XdrException> assertRefused(String hex, Reader<?> reading) {
        return assertThatExceptionOfType(XdrException.class).isThrownBy(() -> reading.read(decoder(hex)));
    }

    private static XdrDecoder decoder(String hex) {
        return new XdrDecoder(ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", ""))));
    }
}
