// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.emplace.tests.codegen.constructs.Amount;
import org.emplace.tests.codegen.constructs.Amounts;
import org.emplace.tests.codegen.constructs.Chosen;
import org.emplace.tests.codegen.constructs.Document;
import org.emplace.tests.codegen.constructs.Feature;
import org.emplace.tests.codegen.constructs.Features;
import org.emplace.tests.codegen.constructs.FileId;
import org.emplace.tests.codegen.constructs.Label;
import org.emplace.tests.codegen.constructs.Part;
import org.emplace.tests.codegen.constructs.PartArgs;
import org.emplace.tests.codegen.constructs.Parts1;
import org.emplace.tests.codegen.constructs.PartsArgs;
import org.emplace.tests.codegen.constructs.PlainBits;
import org.emplace.tests.codegen.constructs.Token;
import org.emplace.tests.codegen.constructs.Triple;
import org.emplace.xdr.EncodedMessage.ChunkMark.PayloadMark;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec.Reader;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrValue;
import org.junit.jupiter.api.Test;

/** Typedefs that are value types. */
class ValueTypesTest {
    private static final FileId FILE = FileId.of((byte) 1, (byte) 2);
    private static final Amounts AMOUNTS = new Amounts(List.of(new Amount(16), new Amount(0xffff_ffffL)));

    private static <T extends XdrValue> void assertWire(T value, Reader<T> reader, String hex) throws XdrException {
        assertThat(Wire.hex(value)).isEqualTo(hex.replace(" ", ""));
        assertThat(Wire.value(hex, reader)).isEqualTo(value).hasSameHashCodeAs(value);
    }

    @Test
    void aValueIsCodedAsWhatItStandsFor() throws XdrException {
        assertWire(
                new Document(
                        List.of(FILE),
                        Optional.of(Token.of((byte) 9, (byte) 8, (byte) 7, (byte) 6)),
                        Label.of("name"),
                        AMOUNTS,
                        Triple.of(1, 2, 3),
                        Features.of(Feature.WRITING, Feature.SHARING),
                        PlainBits.of(0),
                        new Chosen.Case7(FILE)),
                Document::decode,
                "00000001 00000002 01020000" + "00000001 09080706" + "00000004 6e616d65" + "00000002 00000010 ffffffff"
                        + "0000000000000001 0000000000000002 0000000000000003" + "00000002 00000002 00000002"
                        + "00000001 00000000" + "00000007 00000002 01020000");
    }

    @Test
    void boundsAreCheckedWhereAValueIsMade() {
        assertThatThrownBy(() -> FileId.of(new byte[9]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9 bytes");
        assertThatThrownBy(() -> Label.of("longer")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Amount(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Triple.of(1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Amounts(List.of(new Amount(1), new Amount(2), new Amount(3))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Features.of(64)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PlainBits.of(1).with(64)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Wire.value("00000009" + "00000000".repeat(3), FileId::decode))
                .isInstanceOf(XdrException.class);
    }

    @Test
    void aStringIsMadeOfText() {
        assertThat(Label.of("text").value()).isEqualTo(XdrString.of("text"));
    }

    @Test
    void bitsHaveNumbersAndNames() {
        Features features = Features.of(Feature.READING).with(Feature.SHARING).without(0);

        assertThat(features.contains(Feature.SHARING)).isTrue();
        assertThat(features.contains(33)).isTrue();
        assertThat(features.contains(Feature.READING)).isFalse();
        assertThat(features).isEqualTo(Features.of(33)).hasToString("Features[bits={33}]");
        assertThat(Features.of().contains(0)).isFalse();
    }

    @Test
    void aDecodedSetOfBitsIsEncodedAsItCame() throws XdrException {
        Features decoded = Wire.value("00000002 00000001 00000000", Features::decode);

        assertThat(decoded).isEqualTo(Features.of(Feature.READING));
        assertThat(Wire.hex(decoded)).isEqualTo("000000020000000100000000");
        assertThat(Wire.hex(Features.of(Feature.READING))).isEqualTo("0000000100000001");
    }

    @Test
    void anEligibleItemOfSuchATypeIsAPayload() throws XdrException {
        Part part = new Part(Payload.of(ByteBuffer.wrap(new byte[] {1, 2, 3})));

        assertThat(Wire.encoded(part).marks()).singleElement().isInstanceOf(PayloadMark.class);
        assertThat(Wire.hex(part)).isEqualTo("0000000301020300");
        assertThat(Wire.value("00000003 01020300", Part::decode).data().length())
                .isEqualTo(3);
    }

    @Test
    void sizesComeOutOfSuchTypes() {
        assertThat(Wire.sizes(Parts1.GET, new PartArgs(FILE, new Amount(77)))).containsExactly(77L);
        assertThat(Wire.sizes(Parts1.ALL, new PartsArgs(AMOUNTS))).containsExactly(16L, (long) Integer.MAX_VALUE);
    }
}
