// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpcrdma.Blobs.encoded;

import java.nio.ByteBuffer;
import java.util.List;
import org.emplace.rpcrdma.requester.CallForm.ReplyProvision;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrEncoder;
import org.junit.jupiter.api.Test;

/** How calls of different sizes travel, where 1024 bytes fit into a Send. A header without chunks has 28 bytes; a Read segment takes 24. */
final class CallFormTest {
    private static final int THRESHOLD = 1024;
    private static final int ROOM = THRESHOLD - 28;

    @Test
    void aCallThatFitsIsAShortMessage() {
        CallForm form = form(encoded(ROOM - 100, 97), 8);
        assertThat(form).isEqualTo(CallForm.Inline.WHOLE);
        assertThat(form.isWhole()).isTrue();
    }

    @Test
    void whatTheReplyNeedsLeavesLessRoom() {
        ReplyProvision replyChunk = new ReplyProvision(0, 100, 0);
        EncodedMessage call = encoded(ROOM - 20);
        assertThat(CallForm.of(call, replyChunk, THRESHOLD, 8).isWhole()).isTrue();
        assertThat(CallForm.of(encoded(ROOM - 16), replyChunk, THRESHOLD, 8)).isEqualTo(new CallForm.LongCall());
    }

    @Test
    void aLargeItemGoesInAReadChunk() {
        EncodedMessage call = encoded(ROOM - 24, 97);
        CallForm form = form(call, 8);
        assertThat(form).isEqualTo(new CallForm.Inline(List.of(call.marks().get(0)), 1));
        assertThat(form.isWhole()).isFalse();
    }

    @Test
    void aCallWhoseRestDoesNotFitIsLong() {
        CallForm form = form(encoded(ROOM - 20, 97), 8);
        assertThat(form).isEqualTo(new CallForm.LongCall());
        assertThat(form.isWhole()).isFalse();
    }

    @Test
    void asFewItemsAsNecessaryGoInChunksTheLargestFirst() {
        EncodedMessage call = encoded(600, 100, 1000, 200, 300);
        List<? extends ChunkMark> marks = call.marks();

        assertThat(form(call, 8)).isEqualTo(new CallForm.Inline(List.of(marks.get(1), marks.get(3)), 4));
    }

    @Test
    void whatFitsOnceAnItemIsInAChunkGoesInline() {
        EncodedMessage call = encoded(ROOM - 24 - 100, 100, 1000);

        assertThat(form(call, 8))
                .isEqualTo(new CallForm.Inline(List.of(call.marks().get(1)), 1));
    }

    @Test
    void thereAreNoMoreChunksThanTheBindingAllows() {
        EncodedMessage call = encoded(600, 300, 1000);
        assertThat(form(call, 2)).isInstanceOf(CallForm.Inline.class);
        EncodedMessage another = encoded(600, 300, 1000);
        assertThat(form(another, 1))
                .isEqualTo(new CallForm.Inline(List.of(another.marks().get(1)), 4));
        assertThat(form(encoded(800, 300, 1000), 1)).isEqualTo(new CallForm.LongCall());
        assertThat(form(call, 0)).isEqualTo(new CallForm.LongCall());
    }

    /** A chunk for an item of 24 bytes would lengthen the header as much as it shortens the message. */
    @Test
    void itemsNotLongerThanTheirSegmentGoInline() {
        assertThat(form(encoded(ROOM - 24, 24, 24), 8)).isEqualTo(new CallForm.LongCall());
        assertThat(form(encoded(ROOM - 24, 25), 8)).isInstanceOf(CallForm.Inline.class);
    }

    @Test
    void itemsThatAreNotEligibleGoInline() {
        XdrEncoder out = XdrEncoder.onHeap();
        out.eligible(false);
        out.writePayload(Payload.of(ByteBuffer.allocate(2000)));
        assertThat(form(out.finish(), 8)).isEqualTo(new CallForm.LongCall());
    }

    private static CallForm form(EncodedMessage call, int chunkLimit) {
        return CallForm.of(call, ReplyProvision.INLINE, THRESHOLD, chunkLimit);
    }
}
