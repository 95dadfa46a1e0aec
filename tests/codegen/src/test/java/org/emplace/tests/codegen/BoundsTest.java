// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.emplace.tests.codegen.constructs.Arrays;
import org.emplace.tests.codegen.constructs.Blocks;
import org.emplace.tests.codegen.constructs.Bytes;
import org.emplace.tests.codegen.constructs.Color;
import org.emplace.tests.codegen.constructs.Constants;
import org.emplace.tests.codegen.constructs.Listing;
import org.emplace.tests.codegen.constructs.MaybeNumbers;
import org.emplace.tests.codegen.constructs.Names;
import org.emplace.tests.codegen.constructs.Result;
import org.emplace.tests.codegen.constructs.Tree;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrLongs;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;
import org.junit.jupiter.api.Test;

class BoundsTest {
    private static final XdrOpaque THREE = XdrOpaque.of((byte) 1, (byte) 2, (byte) 3);
    private static final XdrOpaque LONG = XdrOpaque.of(new byte[17]);

    private static final XdrLongs PAIR = XdrLongs.of(0, 0);

    private static Bytes bytes(XdrOpaque fixed, String name) {
        return new Bytes(fixed, XdrOpaque.EMPTY, XdrOpaque.EMPTY, XdrString.of(name), XdrOpaque.EMPTY);
    }

    private static Arrays arrays(XdrUnsignedInts ports, XdrLongs pair, List<XdrOpaque> handles) {
        return new Arrays(ports, pair, handles, List.of());
    }

    private static MaybeNumbers ports(OptionalLong... ports) {
        return new MaybeNumbers(
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(ports));
    }

    @Test
    void aValueOutOfBoundsCannotBeMade() {
        assertThatThrownBy(() -> bytes(XdrOpaque.EMPTY, "")).hasMessageContaining("fixed has 0 bytes");
        assertThatThrownBy(() -> bytes(THREE, "ninechars")).hasMessageContaining("name has 9 bytes");
        assertThatThrownBy(() -> arrays(XdrUnsignedInts.of(1, 2, 3, 4), PAIR, List.of()))
                .hasMessageContaining("ports has 4 elements");
        assertThatThrownBy(() -> arrays(XdrUnsignedInts.EMPTY, XdrLongs.of(0), List.of()))
                .hasMessageContaining("pair has 1 elements");
    }

    @Test
    void boundsHoldForWhatIsInsideListsAndOptionals() {
        assertThatThrownBy(() -> arrays(XdrUnsignedInts.EMPTY, PAIR, List.of(LONG)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("handles");
        assertThatThrownBy(() -> new Listing(List.of(), Optional.of(LONG), OptionalLong.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("directory");
        assertThatThrownBy(() -> new Listing(List.of(), Optional.empty(), OptionalLong.of(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("extra is not an unsigned 32-bit number: -1");
        assertThatThrownBy(() -> ports(OptionalLong.empty(), OptionalLong.of(0x1_0000_0000L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ports is not an unsigned 32-bit number: 4294967296");
    }

    @Test
    void aPeerThatExceedsABoundIsRefused() {
        assertThatThrownBy(() -> Wire.value("01020300 00000006 00000000 00000000", Bytes::decode))
                .isInstanceOf(XdrException.class);
        assertThatThrownBy(() -> Wire.value("00000004" + "00000000".repeat(4), Arrays::decode))
                .isInstanceOf(XdrException.class);
    }

    @Test
    void aCountThatTheInputCannotHoldIsRefusedBeforeAnythingIsAllocated() {
        assertThatThrownBy(() -> Wire.value("00000000" + "00000000".repeat(4) + "7fffffff 00000000", Arrays::decode))
                .isInstanceOf(XdrException.class)
                .hasMessageContaining("2147483647");
    }

    @Test
    void arraysInArraysThatEachClaimWhatIsLeftTakeNoMemoryBeforeTheirElementsAreThere() {
        int trees = 10_000;
        ByteBuffer nested = ByteBuffer.allocate(12 * trees);
        for (int left = trees - 1; nested.remaining() >= 8; left--) {
            nested.putInt(1).putInt(left * 8 / 12);
        }
        XdrDecoder in = new XdrDecoder(nested.flip());
        Allocations allocations = new Allocations();

        assertThatThrownBy(() -> Tree.decode(in)).hasMessageContaining("nest deeper than 200");
        assertThat(allocations.bytes()).isLessThan(1_000_000);
    }

    @Test
    void anEnumRefusesOtherValues() {
        assertThatThrownBy(() -> Wire.value("00000007", Color::decode))
                .isInstanceOf(XdrException.class)
                .hasMessageContaining("color has no value 7");
        assertThatThrownBy(() -> Color.of(7)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Color.of(-3)).isEqualTo(Color.BLUE);
    }

    @Test
    void aRecordKeepsItsOwnCopyOfAList() {
        List<XdrOpaque> handles = new ArrayList<>(List.of(THREE));
        Arrays arrays = arrays(XdrUnsignedInts.EMPTY, PAIR, handles);
        handles.add(THREE);
        assertThat(arrays.handles()).containsExactly(THREE);
        assertThatThrownBy(() -> arrays.handles().add(THREE)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void constantsKeepTheirNamesAndSizes() {
        assertThat(Constants.MAX_NAME).isEqualTo(8);
        assertThat(Constants.BIG).isEqualTo(0x1_0000_0000L);
    }

    @Test
    @SuppressWarnings("NullAway") // this test passes null
    void nothingIsNull() {
        assertThatThrownBy(() -> new Blocks(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("all");
        assertThatThrownBy(() -> new Names(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("all");
        assertThatThrownBy(() -> new Listing(List.of(), Optional.empty(), null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("extra");
        assertThatThrownBy(() -> new Result.Red(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("good");
        assertThatThrownBy(() -> new Result.Green(null, 0))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("status");
    }
}
