// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.header.ChunkLists.WriteChunk;
import org.emplace.rpcrdma.header.HeaderCodec.HeaderSize;
import org.emplace.rpcrdma.wire.Rpcrdma1Msg;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.junit.jupiter.api.Test;

/** The handwritten codec, compared with the one generated from {@code rpcrdma1.x}. */
final class HeaderCodecTest {
    private final Random random = new Random(8166);

    @Test
    void headersOfAllTypesMatchTheDefinition() throws Exception {
        for (int i = 0; i < 2000; i++) {
            Header header = header(random.nextInt(5));

            ByteBuffer bytes = encoded(header);
            assertThat(generated(bytes)).isEqualTo(bytes);
            assertThat(HeaderCodec.decode(new XdrDecoder(bytes), ChunkLimits.NONE))
                    .isEqualTo(header);
        }
    }

    @Test
    void theHeaderOfAMessageWithoutChunksIsTheSameFromItsFields() {
        ByteBuffer fromFields = ByteBuffer.allocate(HeaderSize.WITHOUT_CHUNKS);
        HeaderCodec.encodeWithoutChunks(7, 3, fromFields);

        assertThat(fromFields.flip()).isEqualTo(encoded(new Header.Message(7, 3, ChunkLists.EMPTY)));
    }

    @Test
    void bytesAfterAHeaderAreNotRead() throws Exception {
        Header header = header(0);
        ByteBuffer bytes = ByteBuffer.allocate(HeaderSize.of(header) + 4);
        HeaderCodec.encode(header, bytes);
        XdrDecoder in = new XdrDecoder(bytes.putInt(42).flip());

        HeaderCodec.decode(in, ChunkLimits.NONE);
        in.beginMessage();

        assertThat(in.streamPosition()).isZero();
        assertThat(in.readInt()).isEqualTo(42);
    }

    @Test
    void aTruncatedHeaderIsMalformed() {
        for (int i = 0; i < 200; i++) {
            ByteBuffer bytes = encoded(header(random.nextInt(4)));
            for (int length = 0; length < bytes.limit(); length++) {
                XdrDecoder cut = new XdrDecoder(bytes.slice(0, length));
                assertThatThrownBy(() -> HeaderCodec.decode(cut, ChunkLimits.NONE))
                        .isInstanceOf(XdrException.class);
            }
        }
    }

    @Test
    void theSegmentsOfAPositionAreOneChunkInAnyOrder() throws Exception {
        ByteBuffer unsorted = words(1, 1, 3, 0, 1, 64, 1, 10, 0, 0, 1, 0, 2, 200, 0, 0, 1, 64, 3, 3000, 0, 0, 0, 0, 0);
        RemoteSegment first = new RemoteSegment(1, 0, 10);
        RemoteSegment other = new RemoteSegment(2, 0, 200);
        RemoteSegment second = new RemoteSegment(3, 0, 3000);
        List<ReadChunk> chunks = List.of(new ReadChunk(0, List.of(other)), new ReadChunk(64, List.of(first, second)));

        assertThat(HeaderCodec.decode(new XdrDecoder(unsorted), ChunkLimits.NONE))
                .isEqualTo(new Header.Message(1, 3, new ChunkLists(chunks, List.of(), Optional.empty())));
        assertThat(chunks.get(1).length()).isEqualTo(3010);
    }

    /** Also if the bytes for more are there. */
    @Test
    void aHeaderWithMoreChunksOrSegmentsThanItsReceiverTakesIsMalformed() throws Exception {
        ChunkLimits limits = new ChunkLimits(2, 3, 2, 3);
        assertThat(accepts(limits, reads(64, 64, 68))).isTrue();
        assertThat(accepts(limits, reads(64, 64, 64, 64))).as("segments").isFalse();
        assertThat(accepts(limits, reads(64, 68, 72))).as("chunks").isFalse();

        assertThat(accepts(limits, writes(1, 2))).isTrue();
        assertThat(accepts(limits, writes(3))).isTrue();
        assertThat(accepts(limits, writes(4))).as("segments of one").isFalse();
        assertThat(accepts(limits, writes(2, 2))).as("segments of two").isFalse();
        assertThat(accepts(limits, writes(0, 0))).isTrue();
        assertThat(accepts(limits, writes(0, 0, 0))).as("empty chunks").isFalse();

        ChunkLists reply = new ChunkLists(List.of(), List.of(), Optional.of(new WriteChunk(segments(3))));
        assertThat(accepts(limits, reply)).isTrue();
        ChunkLists longReply = new ChunkLists(List.of(), List.of(), Optional.of(new WriteChunk(segments(4))));
        assertThat(accepts(limits, longReply)).isFalse();
    }

    private static boolean accepts(ChunkLimits limits, ChunkLists lists) {
        try {
            HeaderCodec.decode(new XdrDecoder(encoded(new Header.Message(1, 1, lists))), limits);
            return true;
        } catch (XdrException refused) {
            return false;
        }
    }

    /** A Read list with a segment for each position. */
    private ChunkLists reads(long... positions) {
        List<ReadChunk> chunks = new ArrayList<>();
        for (long position : positions) {
            chunks.add(new ReadChunk(position, segments(1)));
        }
        return new ChunkLists(chunks, List.of(), Optional.empty());
    }

    private ChunkLists writes(int... segments) {
        List<WriteChunk> chunks = new ArrayList<>();
        for (int count : segments) {
            chunks.add(new WriteChunk(segments(count)));
        }
        return new ChunkLists(List.of(), chunks, Optional.empty());
    }

    private List<RemoteSegment> segments(int count) {
        return Collections.nCopies(count, segment());
    }

    @Test
    void theFixedFieldsAreThoseOfEveryVersion() {
        assertThat(HeaderCodec.xidOf(words(1, 2, 3, 0))).isEqualTo(1);
        assertThat(HeaderCodec.isError(words(1, 2, 3, 0))).isFalse();
        assertThat(HeaderCodec.isError(words(1, 2, 3, 4))).isTrue();
    }

    @Test
    void onlyErrorsOfOtherVersionsAreReadable() throws Exception {
        assertThat(decoded(1, 1, 3, 0, 0, 0, 0)).isEqualTo(new Header.Message(1, 3, ChunkLists.EMPTY));
        assertThat(decoded(1, 2, 3, 4, 2)).isEqualTo(new Header.ChunkError(1, 3));
        assertThat(decoded(1, 2, 3, 0)).isEqualTo(new Header.OtherVersion(1, 3, 2));
        assertThat(decoded(1, -1, -1, 0)).isEqualTo(new Header.OtherVersion(1, 0xffff_ffffL, 0xffff_ffffL));
    }

    @Test
    void sizesAreKnownBeforeChunksExist() {
        for (int reads = 0; reads < 4; reads++) {
            for (int writes = 0; writes < 4; writes++) {
                assertThat(HeaderSize.call(reads, writes, false)).isEqualTo(size(reads, writes, Optional.empty()));
                assertThat(HeaderSize.call(reads, writes, true)).isEqualTo(size(reads, writes, Optional.of(chunk())));
                assertThat(HeaderSize.reply(writes, false)).isEqualTo(size(0, writes, Optional.empty()));
                assertThat(HeaderSize.reply(writes, true)).isEqualTo(size(0, writes, Optional.of(chunk())));
            }
        }
    }

    @Test
    void asManyWriteChunksFitAsHaveRoomBesideAReadSegmentAndAReplyChunk() {
        for (int threshold = 1024; threshold < 1100; threshold++) {
            int most = HeaderSize.mostWriteChunks(threshold);

            assertThat(size(1, most, Optional.of(chunk()))).isLessThanOrEqualTo(threshold);
            assertThat(size(1, most + 1, Optional.of(chunk()))).isGreaterThan(threshold);
        }
    }

    /** The bytes of a header with Read segments, Write chunks of one segment each, and a Reply chunk. */
    private int size(int reads, int writes, Optional<WriteChunk> reply) {
        List<RemoteSegment> segments = Collections.nCopies(reads, segment());
        ChunkLists lists = new ChunkLists(
                reads == 0 ? List.of() : List.of(new ReadChunk(0, segments)),
                Collections.nCopies(writes, chunk()),
                reply);
        return encoded(new Header.Message(1, 1, lists)).limit();
    }

    private static Header decoded(int... words) throws XdrException {
        return HeaderCodec.decode(new XdrDecoder(words(words)), ChunkLimits.NONE);
    }

    private static ByteBuffer words(int... words) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * words.length);
        bytes.asIntBuffer().put(words);
        return bytes;
    }

    private WriteChunk chunk() {
        return new WriteChunk(List.of(segment()));
    }

    private static ByteBuffer encoded(Header header) {
        ByteBuffer out = ByteBuffer.allocate(HeaderSize.of(header));
        HeaderCodec.encode(header, out);
        assertThat(out.hasRemaining()).isFalse();
        return out.flip();
    }

    /** Decoded and encoded again by generated code. */
    private static ByteBuffer generated(ByteBuffer bytes) throws Exception {
        XdrDecoder in = new XdrDecoder(bytes);
        Rpcrdma1Msg message = Rpcrdma1Msg.decode(in);
        in.requireEnd();
        XdrEncoder out = XdrEncoder.onHeap();
        message.encode(out);
        return out.finish().stream();
    }

    private Header header(int kind) {
        int xid = random.nextInt();
        long credits = unsigned();
        return switch (kind) {
            case 0 -> new Header.Message(xid, credits, lists());
            case 1 -> new Header.NoMessage(xid, credits, lists());
            case 2 -> new Header.VersionError(xid, credits, unsigned(), unsigned());
            case 3 -> new Header.ChunkError(xid, credits);
            default -> new Header.Done(xid, credits);
        };
    }

    private ChunkLists lists() {
        return new ChunkLists(
                readChunks(),
                some(i -> writeChunk()),
                random.nextBoolean() ? Optional.of(writeChunk()) : Optional.empty());
    }

    /** In the order of their positions, none empty. */
    private List<ReadChunk> readChunks() {
        return random.ints(random.nextInt(4))
                .mapToLong(Integer::toUnsignedLong)
                .distinct()
                .sorted()
                .mapToObj(position -> new ReadChunk(
                        position,
                        Stream.generate(this::segment)
                                .limit(1 + random.nextInt(3))
                                .toList()))
                .toList();
    }

    private WriteChunk writeChunk() {
        return new WriteChunk(some(i -> segment()));
    }

    private RemoteSegment segment() {
        return new RemoteSegment(random.nextInt(), random.nextLong(), unsigned());
    }

    private <T> List<T> some(Function<Integer, T> maker) {
        return IntStream.range(0, random.nextInt(4)).boxed().map(maker).toList();
    }

    private long unsigned() {
        return Integer.toUnsignedLong(random.nextInt());
    }
}
