// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class XdrBitsTest {

    @Test
    void theLowestBitOfTheFirstWordIsBitZero() {
        assertThat(XdrBits.of(0, 1, 31, 32, 63).words()).isEqualTo(XdrUnsignedInts.of(0x8000_0003L, 0x8000_0001L));
        assertThat(XdrBits.of().words()).isEqualTo(XdrUnsignedInts.EMPTY);
        assertThat(XdrBits.ofWords(XdrUnsignedInts.of(0, 4)).stream()).containsExactly(34);
    }

    @Test
    void bitsCanBeTestedAddedAndRemoved() {
        XdrBits bits = XdrBits.of(3, 40);

        assertThat(bits.contains(3)).isTrue();
        assertThat(bits.contains(40)).isTrue();
        assertThat(bits.contains(4)).isFalse();
        assertThat(bits.contains(1000)).isFalse();
        assertThat(bits.contains(-1)).isFalse();
        assertThat(bits.with(4).with(100)).isEqualTo(XdrBits.of(3, 4, 40, 100));
        assertThat(bits.without(40).words()).isEqualTo(XdrUnsignedInts.of(8));
        assertThat(bits.without(77)).isEqualTo(bits);
        assertThat(bits).isEqualTo(XdrBits.of(40, 3)).hasToString("{3, 40}");
    }

    @Test
    void trailingZeroWordsDoNotAffectEquality() {
        XdrBits longer = XdrBits.ofWords(XdrUnsignedInts.of(1, 0, 0));

        assertThat(longer).isEqualTo(XdrBits.of(0)).hasSameHashCodeAs(XdrBits.of(0));
        assertThat(XdrBits.of(0)).isEqualTo(longer).isNotEqualTo(XdrBits.of(1)).isNotEqualTo(XdrBits.EMPTY);
        assertThat(XdrBits.ofWords(XdrUnsignedInts.of(0))).isEqualTo(XdrBits.EMPTY);
    }

    @Test
    void negativeNumbersAreRejected() {
        assertThatThrownBy(() -> XdrBits.of(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> XdrBits.EMPTY.with(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFixedArrayHasAllItsWords() throws XdrException {
        XdrEncoder out = XdrEncoder.onHeap();
        XdrBits.of(1).encodeFixed(out, 3);
        XdrDecoder in = new XdrDecoder(out.finish().stream());

        assertThat(in.remaining()).isEqualTo(12);
        assertThat(XdrBits.decodeFixed(in, 3)).isEqualTo(XdrBits.of(1));
    }

    @Test
    void aCountBeyondTheMessageIsRejected() {
        XdrDecoder in = new XdrDecoder(ByteBuffer.allocate(8).putInt(0, 0x4000_0000));

        assertThatThrownBy(() -> XdrBits.decode(in, XdrDecoder.UNBOUNDED)).isInstanceOf(XdrException.class);
    }
}
