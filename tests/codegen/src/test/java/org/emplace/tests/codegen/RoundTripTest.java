// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.emplace.tests.codegen.constructs.Arrays;
import org.emplace.tests.codegen.constructs.Branch;
import org.emplace.tests.codegen.constructs.Bytes;
import org.emplace.tests.codegen.constructs.Chained;
import org.emplace.tests.codegen.constructs.Chains;
import org.emplace.tests.codegen.constructs.Choice;
import org.emplace.tests.codegen.constructs.Color;
import org.emplace.tests.codegen.constructs.EitherWay;
import org.emplace.tests.codegen.constructs.Entry;
import org.emplace.tests.codegen.constructs.Flagged;
import org.emplace.tests.codegen.constructs.Grade;
import org.emplace.tests.codegen.constructs.Listing;
import org.emplace.tests.codegen.constructs.MaybeNumbers;
import org.emplace.tests.codegen.constructs.Names;
import org.emplace.tests.codegen.constructs.Numbered;
import org.emplace.tests.codegen.constructs.OnlyTrue;
import org.emplace.tests.codegen.constructs.Result;
import org.emplace.tests.codegen.constructs.Scalars;
import org.emplace.tests.codegen.constructs.StringlistElement;
import org.emplace.tests.codegen.constructs.Tree;
import org.emplace.xdr.XdrCodec.Reader;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrLongs;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;
import org.emplace.xdr.XdrValue;
import org.junit.jupiter.api.Test;

class RoundTripTest {
    private static final Scalars SCALARS = new Scalars(-1, 0xffff_ffffL, -2, -1, 1.5f, -0.5, true, Color.BLUE);
    private static final String SCALARS_HEX =
            "ffffffff ffffffff fffffffffffffffe ffffffffffffffff 3fc00000 bfe0000000000000" + "00000001 fffffffd";

    private static <T extends XdrValue> void assertWire(T value, Reader<T> reader, String hex) throws XdrException {
        assertThat(Wire.hex(value)).isEqualTo(hex.replace(" ", ""));
        assertThat(Wire.value(hex, reader)).isEqualTo(value);
    }

    @Test
    void scalarsAreBigEndianAndAligned() throws XdrException {
        assertWire(SCALARS, Scalars::decode, SCALARS_HEX);
    }

    @Test
    void aLargeRecordChangesOneOfItsMembers() throws XdrException {
        assertWire(
                SCALARS.withC(Color.RED),
                Scalars::decode,
                SCALARS_HEX.replace("fffffffd", "%08x".formatted(Color.RED.value())));
        assertThat(SCALARS.withC(Color.BLUE)).isEqualTo(SCALARS);
    }

    @Test
    void bytesArePaddedToFour() throws XdrException {
        assertWire(
                new Bytes(
                        XdrOpaque.of((byte) 1, (byte) 2, (byte) 3),
                        XdrOpaque.of((byte) 9),
                        XdrOpaque.EMPTY,
                        XdrString.of("name"),
                        XdrOpaque.of((byte) 7, (byte) 8)),
                Bytes::decode,
                "01020300 00000001 09000000 00000000 00000004 6e616d65 00000002 07080000");
    }

    @Test
    void aUnionWithoutAnArmForFalseIsNoOptional() throws XdrException {
        assertWire(new OnlyTrue.True(7), OnlyTrue::decode, "00000001 00000007");
        assertThatThrownBy(() -> Wire.value("00000000", OnlyTrue::decode)).isInstanceOf(XdrException.class);
    }

    @Test
    void arraysHoldNumbersAndMadeTypes() throws XdrException {
        assertWire(
                new Arrays(
                        XdrUnsignedInts.of(1, 0xffff_ffffL),
                        XdrLongs.of(2, 3),
                        List.of(XdrOpaque.of((byte) 5)),
                        List.of(SCALARS)),
                Arrays::decode,
                "00000002 00000001 ffffffff 0000000000000002 0000000000000003 00000001 00000001 05000000 00000001"
                        + SCALARS_HEX);
    }

    @Test
    void anArmThatOneValueSelectsImpliesIt() throws XdrException {
        assertWire(new Result.Red(SCALARS), Result::decode, "00000000" + SCALARS_HEX);
        assertThat(new Result.Red(SCALARS).status()).isEqualTo(Color.RED);
    }

    @Test
    void anArmThatSeveralValuesSelectKeepsIt() throws XdrException {
        assertWire(new Result.Green(Color.BLUE, 4), Result::decode, "fffffffd 00000004");
        assertThatThrownBy(() -> new Result.Green(Color.RED, 4)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theDefaultArmRefusesTheOthersDiscriminants() throws XdrException {
        assertWire(new Choice.Default(12, XdrOpaque.of((byte) 1)), Choice::decode, "0000000c 00000001 01000000");
        assertWire(new Choice.CaseMinus1(XdrString.of("no")), Choice::decode, "ffffffff 00000002 6e6f0000");
        assertWire(new Choice.Case0(), Choice::decode, "00000000");
        assertThatThrownBy(() -> new Choice.Default(-1, XdrOpaque.EMPTY)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anUnsignedDiscriminantReachesItsLargestValue() throws XdrException {
        assertWire(new Numbered.Case0xffffffff(8), Numbered::decode, "ffffffff 0000000000000008");
        assertThatThrownBy(() -> Wire.value("00000002", Numbered::decode))
                .isInstanceOf(XdrException.class)
                .hasMessageContaining("numbered has no arm for 2");
    }

    @Test
    void aUnionOnBoolWithTwoValuesIsAUnion() throws XdrException {
        assertWire(new Flagged.False(3), Flagged::decode, "00000000 00000003");
        assertWire(new Flagged.True(XdrOpaque.EMPTY), Flagged::decode, "00000001 00000000");
    }

    @Test
    void anArmForBothValuesOfBoolKeepsWhichItWas() throws XdrException {
        assertWire(new EitherWay.False(false, 3), EitherWay::decode, "00000000 00000003");
        assertWire(new EitherWay.False(true, 3), EitherWay::decode, "00000001 00000003");
    }

    /** Names some of the arms. */
    private record Kinds() implements Choice.Visitor<String> {
        @Override
        public String otherwise(Choice value) {
            return "another " + value.kind();
        }

        @Override
        public String case0(Choice.Case0 value) {
            return "zero";
        }

        @Override
        public String defaultArm(Choice.Default value) {
            return "default " + value.kind();
        }
    }

    @Test
    void aVisitorHasAMethodForEachArmAndOneForAllOthers() {
        assertThat(new Choice.Case0().<String>accept(new Kinds())).isEqualTo("zero");
        assertThat(new Choice.Default(12, XdrOpaque.of((byte) 6)).<String>accept(new Kinds()))
                .isEqualTo("default 12");
        assertThat(new Choice.CaseMinus1(XdrString.of("why")).<String>accept(new Kinds()))
                .isEqualTo("another -1");
        EitherWay unflagged = new EitherWay.False(false, 4);
        assertThat(unflagged.<Integer>accept(EitherWay::hashCode)).isEqualTo(unflagged.hashCode());
        Result several = new Result.Green(Color.BLUE, 5);
        assertThat(several.<Result>accept(value -> value)).isSameAs(several);
        assertThat(Stream.of(new Numbered.Case0xffffffff(8), new Numbered.Case1())
                        .map(each -> each.<Long>accept(Numbered::tag)))
                .containsExactly(0xffff_ffffL, 1L);
    }

    @Test
    void optionalDataAndLinkedListsAreFlagged() throws XdrException {
        assertWire(
                new Listing(
                        List.of(new Entry(1, XdrString.of("a")), new Entry(2, XdrString.of("b"))),
                        Optional.of(XdrOpaque.of((byte) 1)),
                        OptionalLong.empty()),
                Listing::decode,
                "00000001 0000000000000001 00000001 61000000 00000001 0000000000000002 00000001 62000000 00000000"
                        + "00000001 00000001 01000000 00000000");
    }

    @Test
    void optionalNumbersAreThePrimitiveOptionalsOfJava() throws XdrException {
        assertWire(
                new MaybeNumbers(
                        OptionalInt.of(-1),
                        OptionalLong.of(0xffff_ffffL),
                        OptionalLong.empty(),
                        OptionalLong.of(-1),
                        OptionalDouble.of(-0.5),
                        Optional.of(1.5f),
                        Optional.of(true),
                        List.of(OptionalLong.of(7), OptionalLong.empty())),
                MaybeNumbers::decode,
                "00000001 ffffffff 00000001 ffffffff 00000000 00000001 ffffffffffffffff 00000001 bfe0000000000000"
                        + "00000001 3fc00000 00000001 00000001 00000002 00000001 00000007 00000000");
    }

    @Test
    void aTreeIsNoList() throws XdrException {
        Branch leaf = new Branch(3, Optional.empty(), Optional.empty());
        assertWire(
                new Branch(2, Optional.empty(), Optional.of(leaf)),
                Branch::decode,
                "00000002 00000000 00000001" + "00000003 00000000 00000000");
    }

    @Test
    void aListOfAMillionEntriesCostsNoStack() throws XdrException {
        List<Entry> entries = LongStream.range(0, 1_000_000)
                .mapToObj(id -> new Entry(id, XdrString.of("e")))
                .toList();
        Listing listing = new Listing(entries, Optional.empty(), OptionalLong.empty());

        Listing decoded = Listing.decode(new XdrDecoder(Wire.encoded(listing).stream()));

        assertThat(decoded.entries()).hasSize(1_000_000);
        assertThat(decoded.entries().get(999_999).id()).isEqualTo(999_999);
    }

    @Test
    void aTypeThatHoldsItselfIsATree() throws XdrException {
        Tree leaf = new Tree(2, List.of(), Optional.empty());
        assertWire(
                new Tree(1, List.of(leaf), Optional.of(leaf)),
                Tree::decode,
                "00000001 00000001 00000002 00000000 00000000 00000001 00000002 00000000 00000000");
    }

    @Test
    void aListIsAListWhereverItsLinkStands() throws XdrException {
        assertWire(
                new Chains(
                        List.of(new Chained(1, 2)),
                        List.of(new Chained(3, 4), new Chained(5, 6), new Chained(7, 8)),
                        List.of(List.of(new Chained(9, 10)))),
                Chains::decode,
                "00000001 00000000 00000002"
                        + "00000001 00000003 00000001 00000005 00000001 00000007 00000000 00000008 00000006 00000004"
                        + "00000001 00000009 00000000 0000000a");
        assertThatThrownBy(() -> new Chains(List.of(), List.of(), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one is empty");
    }

    @Test
    void aListOfAMillionElementsTakesNoStackWhereverItsLinkStands() throws XdrException {
        List<Chained> many = Collections.nCopies(1_000_000, new Chained(1, 2));
        Chains chains = new Chains(List.of(new Chained(3, 4)), many, List.of());

        assertThat(Wire.value(Wire.hex(chains), Chains::decode)).isEqualTo(chains);
    }

    @Test
    void theListOfTheStandardIsAList() throws XdrException {
        List<StringlistElement> names =
                List.of(new StringlistElement(XdrString.of("a")), new StringlistElement(XdrString.of("b")));

        assertWire(new Names(names), Names::decode, "00000001 00000001 61000000 00000001 00000001 62000000 00000000");
    }

    @Test
    void anotherNameOfAnEnumeratorIsTheSameConstant() {
        assertThat(Grade.FINE).isSameAs(Grade.GOOD);
        assertThat(Grade.values()).containsExactly(Grade.GOOD, Grade.BAD);
    }
}
