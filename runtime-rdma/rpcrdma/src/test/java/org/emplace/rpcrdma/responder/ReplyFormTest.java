// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpcrdma.Blobs.encoded;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.ChunkLists.WriteChunk;
import org.emplace.rpcrdma.header.Header;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrEncoder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How replies travel with the chunks that their calls offered, where 1024 bytes fit into a Send. A header without chunks has 28 bytes. */
final class ReplyFormTest {
    private static final int XID = 7;
    private static final int CREDITS = 3;
    private static final int THRESHOLD = 1024;
    private static final int ROOM = THRESHOLD - 28;

    @Test
    void aReplyThatFitsGoesInTheSend() {
        EncodedMessage reply = encoded(ROOM - 100, 97);
        ReplyForm form = form(reply, List.of(), null).orElseThrow();

        assertThat(form.header()).isEqualTo(new Header.Message(XID, CREDITS, ChunkLists.EMPTY));
        assertThat(form.placed()).isEmpty();
        assertThat(reply.lengthWithout(form.placed())).isEqualTo(ROOM);
    }

    @Test
    void aReplyThatFitsNothingHasNoForm() {
        assertThat(form(encoded(ROOM + 4), List.of(), null)).isEmpty();
        assertThat(form(encoded(ROOM + 4), List.of(), chunk(ROOM))).isEmpty();
        assertThat(form(encoded(0, 97), List.of(chunk(96)), null)).isEmpty();
    }

    @Test
    void anEligibleResultGoesByWriteChunkWhateverItsSize() {
        EncodedMessage reply = encoded(100, 5);
        ReplyForm form = form(reply, List.of(chunk(4, 4)), null).orElseThrow();

        assertThat(form.placed()).containsExactly(reply.marks().get(0));
        assertThat(form.header()).isEqualTo(message(List.of(chunk(4, 1)), null));
        assertThat(reply.lengthWithout(form.placed())).isEqualTo(100);
    }

    @Test
    void aResultMayFillItsChunk() {
        assertThat(form(encoded(0, 96), List.of(chunk(96)), null).orElseThrow().header())
                .isEqualTo(message(List.of(chunk(96)), null));
    }

    @Test
    void resultsGoByTheChunksInTheirOrder() {
        EncodedMessage reply = encoded(100, 5, 6, 8);
        ReplyForm form = form(reply, List.of(chunk(10), chunk(20)), null).orElseThrow();

        assertThat(form.placed())
                .containsExactly(reply.marks().get(0), reply.marks().get(1));
        assertThat(form.header()).isEqualTo(message(List.of(chunk(5), chunk(6)), null));
        assertThat(reply.lengthWithout(form.placed()))
                .as("with the third inline")
                .isEqualTo(100 + 8);
    }

    @Test
    void aChunkOfNoSegmentsWantsItsResultInline() {
        EncodedMessage reply = encoded(100, 5, 6);
        ReplyForm form = form(reply, List.of(chunk(), chunk(20)), null).orElseThrow();

        assertThat(form.placed()).containsExactly(reply.marks().get(1));
        assertThat(form.header()).isEqualTo(message(List.of(chunk(), chunk(6)), null));
        assertThat(reply.lengthWithout(form.placed())).isEqualTo(100 + 8);
    }

    @Test
    void chunksWithoutAResultComeBackEmpty() {
        assertThat(form(encoded(100), List.of(chunk(4, 4)), null).orElseThrow().header())
                .isEqualTo(message(List.of(chunk(0, 0)), null));
    }

    @Test
    void resultsThatAreNotEligibleGoWithTheRest() {
        XdrEncoder out = XdrEncoder.onHeap();
        out.eligible(false);
        out.writeFixedPayload(Payload.of(ByteBuffer.allocate(8)));
        EncodedMessage reply = out.finish();
        ReplyForm form = form(reply, List.of(chunk(20)), null).orElseThrow();

        assertThat(form.placed()).isEmpty();
        assertThat(reply.lengthWithout(form.placed())).isEqualTo(8);
    }

    @Test
    void theReplyChunkTakesTheRestIfItIsLongEnough() {
        ChunkLists returned = new ChunkLists(List.of(), List.of(chunk(5)), Optional.of(chunk(60, 40)));
        EncodedMessage reply = encoded(100, 5);
        ReplyForm form = form(reply, List.of(chunk(10)), chunk(60, 40)).orElseThrow();
        assertThat(form.header()).isEqualTo(new Header.NoMessage(XID, CREDITS, returned));
        assertThat(reply.lengthWithout(form.placed())).isEqualTo(100);

        assertThat(form(encoded(104), List.of(), chunk(60, 43)).orElseThrow().header())
                .isEqualTo(message(List.of(), chunk(0, 0)));
    }

    /** A header with a Reply chunk of n segments has 32 bytes and 16 for each. */
    @Test
    void theHeaderHasToFitTheSendToo() {
        assertThat(form(encoded(8), List.of(), segments(62))).isPresent();
        assertThat(form(encoded(8), List.of(), segments(63))).isEmpty();

        WriteChunk sixty = new WriteChunk(Collections.nCopies(60, new RemoteSegment(1, 0, 4)));
        int left = THRESHOLD - 28 - 8 - 60 * 16;
        assertThat(form(encoded(left), List.of(sixty), null)).isPresent();
        assertThat(form(encoded(left + 4), List.of(sixty), null)).isEmpty();
    }

    private static Optional<ReplyForm> form(
            EncodedMessage reply, List<WriteChunk> writes, @Nullable WriteChunk replyChunk) {
        ChunkLists offered = new ChunkLists(List.of(), writes, Optional.ofNullable(replyChunk));
        return Optional.ofNullable(ReplyForm.of(reply, offered, XID, CREDITS, THRESHOLD));
    }

    private static Header message(List<WriteChunk> writes, @Nullable WriteChunk replyChunk) {
        return new Header.Message(XID, CREDITS, new ChunkLists(List.of(), writes, Optional.ofNullable(replyChunk)));
    }

    private static WriteChunk segments(int count) {
        return new WriteChunk(Collections.nCopies(count, new RemoteSegment(1, 0, 100)));
    }

    private static WriteChunk chunk(long... lengths) {
        return new WriteChunk(LongStream.of(lengths)
                .mapToObj(length -> new RemoteSegment(1, 0, length))
                .toList());
    }
}
