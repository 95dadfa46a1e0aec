// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.tests.codegen.constructs.Block;
import org.emplace.tests.codegen.constructs.Blocks;
import org.emplace.tests.codegen.constructs.Color;
import org.emplace.tests.codegen.constructs.CompoundArgs;
import org.emplace.tests.codegen.constructs.Constructs1;
import org.emplace.tests.codegen.constructs.Op;
import org.emplace.tests.codegen.constructs.OpArgs;
import org.emplace.tests.codegen.constructs.ReadArgs;
import org.emplace.tests.codegen.constructs.ReadOk;
import org.emplace.tests.codegen.constructs.ReadResult;
import org.emplace.tests.codegen.constructs.Scalars;
import org.emplace.tests.codegen.constructs.Table;
import org.emplace.tests.codegen.constructs.WriteArgs;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.emplace.xdr.EncodedMessage.ChunkMark.PayloadMark;
import org.emplace.xdr.EncodedMessage.ChunkMark.RangeMark;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.Test;

class ChunkPlanTest {
    private static final Payload FIVE_BYTES = Payload.of(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}));

    @Test
    void theSizeOfAWriteChunkComesFromTheArguments() {
        ProcedureBinding<ReadArgs, ?> binding = Constructs1.READ.binding();
        assertThat(binding.resultsEligible()).isTrue();
        assertThat(binding.argumentsEligible()).isFalse();
        assertThat(Wire.sizes(Constructs1.READ, new ReadArgs(XdrOpaque.EMPTY, 0, 0xffff_ffffL)))
                .containsExactly((long) Integer.MAX_VALUE);
        assertThat(binding.violation()).isEqualTo(ProcedureBinding.Violation.ERR_CHUNK);
    }

    @Test
    void theSizesOfWriteChunksComeFromTheArgumentsOfTheSameIndexes() {
        OpArgs name = new OpArgs.Default(Op.OP_NAME);
        OpArgs stat = new OpArgs.Default(Op.OP_STAT);
        CompoundArgs args = new CompoundArgs(XdrString.of("tag"), List.of(read(100), stat, name, read(0xffff_ffffL)));

        assertThat(Wire.sizes(Constructs1.COMPOUND, args)).containsExactly(100L, 4096L, (long) Integer.MAX_VALUE);
        assertThat(Constructs1.COMPOUND.binding().writeChunkLimit()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void theSizeOfAWriteChunkComesFromOneOfSeveralArguments() {
        assertThat(Wire.sizes(Constructs1.READ_AT, new Constructs1.ReadAtArgs(XdrOpaque.EMPTY, 3, 77)))
                .containsExactly(77L);
        assertThat(Wire.sizes(
                        Constructs1.COMPOUND_AT,
                        new Constructs1.CompoundAtArgs(XdrOpaque.EMPTY, List.of(read(100), read(200)))))
                .containsExactly(100L, 200L);
    }

    private static OpArgs read(long count) {
        return new OpArgs.OpRead(new ReadArgs(XdrOpaque.EMPTY, 0, count));
    }

    @Test
    void theReplyBoundLeavesTheEligibleBytesOut() {
        ReadArgs args = new ReadArgs(XdrOpaque.EMPTY, 0, 65536);
        assertThat(Constructs1.READ.binding().replyBound().applyAsLong(args)).isEqualTo(12);
        assertThat(Constructs1.FIND.binding().replyBound().applyAsLong(XdrOpaque.EMPTY))
                .isEqualTo(512);
    }

    @Test
    void anEligibleResultLeavesItsCountInTheStreamAndItsBytesAsAMark() throws XdrException {
        EncodedMessage message = Wire.encoded(new ReadResult.Red(new ReadOk(true, FIVE_BYTES)));

        assertThat(message.stream().remaining()).isEqualTo(12);
        assertThat(message.marks())
                .containsExactly(
                        new PayloadMark(12, ((PayloadMark) message.marks().get(0)).payload(), true));
        assertThat(message.unreducedLength()).isEqualTo(20);
        assertThat(Wire.hex(new ReadResult.Red(new ReadOk(true, FIVE_BYTES))))
                .isEqualTo("00000000" + "00000001" + "00000005" + "0102030405000000");
    }

    @Test
    void anEligibleArgumentIsMarkedAmongItsNeighbors() {
        EncodedMessage message = Wire.encoded(new WriteArgs(XdrOpaque.EMPTY, FIVE_BYTES, true));

        ChunkMark mark = message.marks().get(0);
        assertThat(mark.streamOffset()).isEqualTo(8);
        assertThat(mark.length()).isEqualTo(5);
        assertThat(message.stream().remaining()).isEqualTo(12);
        assertThat(Constructs1.WRITE.binding().argumentsEligible()).isTrue();
        assertThat(Constructs1.WRITE.binding().readChunkLimit()).isEqualTo(1);
    }

    /** For an array of fixed-size items that are all in chunks, the stream has only the count. */
    @Test
    void elementsThatHoldOnlyAnItemOfFixedSizeTakeNoBytesInTheStream() throws XdrException {
        Payload data = Payload.of(ByteBuffer.allocate(4096));
        EncodedMessage message = Wire.encoded(new Blocks(List.of(new Block(data), new Block(data), new Block(data))));

        assertThat(message.stream().remaining()).isEqualTo(4);
        Blocks decoded = Blocks.decode(new XdrDecoder(message.stream(), new Elsewhere(message)));
        assertThat(decoded.all()).extracting(block -> block.data().length()).containsExactly(4096L, 4096L, 4096L);
    }

    /** The items of a message, at the positions of its marks. */
    private record Elsewhere(EncodedMessage message) implements EligibleItems {
        @Override
        public Payload chunkAt(long position, long length) {
            return message.marks().stream()
                    .map(PayloadMark.class::cast)
                    .filter(mark -> position(mark) == position)
                    .findFirst()
                    .orElseThrow()
                    .payload();
        }

        /** A mark's offset counts the stream only; a position counts the items before it too. */
        private long position(PayloadMark mark) {
            long before = message.marks().stream()
                    .takeWhile(each -> each != mark)
                    .mapToLong(ChunkMark::length)
                    .sum();
            return mark.streamOffset() + before;
        }

        @Override
        public Payload inline(ByteBuffer stream, int length) {
            throw new AssertionError("an item in the stream");
        }
    }

    @Test
    void anEligibleArrayIsEncodedBehindItsCountAndMarkedAsARange() throws XdrException {
        Scalars row = new Scalars(1, 2, 3, 4, 5, 6, false, Color.RED);
        Table table = new Table(7, List.of(row, row));

        EncodedMessage message = Wire.encoded(table);

        assertThat(message.marks()).containsExactly(new RangeMark(8, 88, true));
        assertThat(Wire.value(Wire.hex(table), Table::decode)).isEqualTo(table);
        assertThat(Wire.sizes(Constructs1.TABLE, 1)).containsExactly(4096L);
    }

    @Test
    void aProcedureWithSeveralArgumentsEncodesThemOneAfterTheOther() throws XdrException {
        Constructs1.AddArgs args = new Constructs1.AddArgs(1, 2);
        assertThat(Wire.hex(args)).isEqualTo("0000000100000002");
        assertThat(Wire.value("0000000100000002", Constructs1.ADD.arguments().reader()))
                .isEqualTo(args);
        assertThat(Wire.sizes(Constructs1.ADD, args)).isEmpty();
    }
}
