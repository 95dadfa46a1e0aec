// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpcrdma.Blobs.pattern;
import static org.emplace.rpcrdma.Words.used;
import static org.emplace.tests.codegen.wire.AlbumWords.ALBUM;
import static org.emplace.tests.codegen.wire.AlbumWords.FRAME;
import static org.emplace.tests.codegen.wire.AlbumWords.LARGE_CREDENTIAL;
import static org.emplace.tests.codegen.wire.AlbumWords.MARKS;
import static org.emplace.tests.codegen.wire.AlbumWords.RDMA_ERROR;
import static org.emplace.tests.codegen.wire.AlbumWords.RDMA_MSG;
import static org.emplace.tests.codegen.wire.AlbumWords.RDMA_NOMSG;
import static org.emplace.tests.codegen.wire.AlbumWords.VIEWER;
import static org.emplace.tests.codegen.wire.AlbumWords.id;
import static org.emplace.tests.codegen.wire.AlbumWords.wordsOfPages;
import static org.emplace.tests.codegen.wire.ServerOfRawClient.XID;
import static org.emplace.tests.codegen.wire.ServerOfRawClient.header;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.auth.AuthNone;
import org.emplace.rpcrdma.RawPeer;
import org.emplace.rpcrdma.Words;
import org.emplace.tests.codegen.album.Viewer1Client;
import org.emplace.tests.codegen.wire.Gallery.Added;
import org.emplace.tests.codegen.wire.ServerOfRawClient.Sink;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a generated server decodes calls that are written word by word, and what it replies. */
final class GeneratedServerTest {
    private static final int GARBAGE_ARGS = 4;
    private static final int ERR_CHUNK = 2;

    @AutoClose
    private final ServerOfRawClient peers = new ServerOfRawClient();

    private final Gallery gallery = peers.gallery;
    private final RawPeer client = peers.client;

    /** The first chunk's segment includes the padding, which a requester may provide; the second one's does not. */
    @Test
    void twoArgumentsOfOddLengthComeByReadChunks() throws Exception {
        RemoteSegment thumbnail = peers.source(new Words().padded(pattern(1025)).bytes());
        RemoteSegment pixels = peers.source(pattern(2047));
        client.send(header(RDMA_MSG)
                .read(40 + 8 + 4, thumbnail)
                .read(52 + 1028 + 12 + 4, pixels)
                .and(0)
                .and(0, 0)
                .call(XID, ALBUM, 2, 2) // ALBUM_ADD
                .text("sea")
                .and(1025)
                .and(2, 1 << 1, 1 << 1) // marks 1 and 33
                .and(2047)
                .and(0, 7));

        peers.assertAnswer(header(RDMA_MSG).and(0, 0, 0).reply(XID).text("sea-1"));
        assertThat(gallery.event()).isEqualTo(new Added(pattern(1025), MARKS, pattern(2047), 7, AuthNone.INSTANCE));
    }

    @Test
    void aLargeCredentialCountsInPositions() throws Exception {
        RemoteSegment pixels = peers.source(pattern(621));
        Words header =
                header(RDMA_MSG).read(380 + 8 + 4 + 8 + 12 + 4, pixels).and(0).and(0, 0);
        client.send(AlbumWords.callWithLargeCredential(header, XID, 2)
                .text("sea")
                .counted(pattern(5))
                .and(2, 1 << 1, 1 << 1)
                .and(621)
                .and(0, 7));

        peers.assertAnswer(header(RDMA_MSG).and(0, 0, 0).reply(XID).text("sea-1"));
        assertThat(gallery.event()).isEqualTo(new Added(pattern(5), MARKS, pattern(621), 7, LARGE_CREDENTIAL));
    }

    /** The length of call and reply without padding; with it, both are 1024 bytes. */
    @ParameterizedTest
    @ValueSource(ints = {1023, 1024})
    void messagesOfUpTo1024BytesComeAndGoInline(int length) throws Exception {
        int shown = length - 28 - 40 - 4 - 4;
        int most = length - 28 - 24 - 4;
        client.send(header(RDMA_MSG)
                .and(0, 0, 0)
                .call(XID, FRAME, 1, 1) // FRAME_SHOW
                .counted(pattern(shown))
                .and(most));

        peers.assertAnswer(header(RDMA_MSG).and(0, 0, 0).reply(XID).counted(pattern(most)));
    }

    @Test
    void aReplyOf1025BytesFitsNothingThatWasOffered() throws Exception {
        client.send(header(RDMA_MSG)
                .and(0, 0, 0)
                .call(XID, FRAME, 1, 1) // FRAME_SHOW
                .and(0)
                .and(1025 - 28 - 24 - 4));

        peers.assertAnswer(header(RDMA_ERROR).and(ERR_CHUNK));
    }

    @ParameterizedTest
    @ValueSource(ints = {1023, 1024, 1025})
    void itemsComeAndGoByChunksWithoutPadding(int length) throws Exception {
        RemoteSegment shown = peers.source(pattern(length));
        Sink result = peers.sink(2000);
        client.send(header(RDMA_MSG)
                .read(40 + 4, shown)
                .and(0)
                .chunk(result.segment())
                .and(0)
                .and(0)
                .call(XID, FRAME, 1, 1) // FRAME_SHOW
                .and(length, length));

        peers.assertAnswer(header(RDMA_MSG)
                .and(0)
                .chunk(used(result.segment(), length))
                .and(0, 0)
                .reply(XID)
                .and(length));
        assertThat(result.bytes(length)).isEqualTo(pattern(length));
    }

    /** The third result is the second one present, so it uses the second Write chunk. */
    @Test
    void anElementThatFailsBetweenResultsTakesNoWriteChunk() throws Exception {
        Sink first = peers.sink(400);
        Sink second = peers.sink(400);
        Sink third = peers.sink(400);
        client.send(header(RDMA_MSG)
                .and(0)
                .chunk(first.segment())
                .chunk(second.segment())
                .chunk(third.segment())
                .and(0)
                .and(0)
                .call(XID, ALBUM, 2, 3) // ALBUM_GET
                .and(3)
                .text("a")
                .and(301)
                .text("gone")
                .and(400)
                .text("c")
                .and(399));

        peers.assertAnswer(header(RDMA_MSG)
                .and(0)
                .chunk(used(first.segment(), 301))
                .chunk(used(second.segment(), 399))
                .chunk(used(third.segment(), 0))
                .and(0, 0)
                .reply(XID)
                .and(3)
                .and(0, 301, 0, 7) // ALBUM_OK, the count of the pixels, taken
                .and(9) // a status that the definition does not name
                .text("gone")
                .and(0, 399, 0, 7));
        assertThat(first.bytes(301)).isEqualTo(pattern(301));
        assertThat(second.bytes(399)).isEqualTo(pattern(399));
    }

    @Test
    void anArrayAndOptionalDataComeAndGoAsChunksWithAllThatIsInThem() throws Exception {
        ByteBuffer cover = new Words().text("abc").and(1).and(wordsOfPages(1)).bytes();
        RemoteSegment pages = peers.source(wordsOfPages(2).bytes());
        RemoteSegment front = peers.source(cover);
        Sink pagesBefore = peers.sink(8192);
        Sink frontBefore = peers.sink(2048);
        client.send(header(RDMA_MSG)
                .read(40 + 4, pages)
                .read(44 + 72 + 4, front)
                .and(0)
                .chunk(pagesBefore.segment())
                .chunk(frontBefore.segment())
                .and(0)
                .and(0)
                .call(XID, ALBUM, 2, 4) // ALBUM_ARRANGE
                .and(2) // pages
                .and(1) // there is a front
                .and(7)); // edition

        peers.assertAnswer(header(RDMA_MSG)
                .and(0)
                .chunk(used(pagesBefore.segment(), 72))
                .chunk(used(frontBefore.segment(), 8 + 4 + 36))
                .and(0, 0)
                .reply(XID)
                .and(2, 1, 7));
        assertThat(pagesBefore.bytes(72)).isEqualTo(wordsOfPages(2).bytes());
        assertThat(frontBefore.bytes(48)).isEqualTo(cover);
    }

    /** An array without elements is a result of length zero. Absent optional-data is not a result. */
    @Test
    void anEmptyArrayTakesAWriteChunkAndAbsentDataTakeNone() throws Exception {
        Sink pages = peers.sink(8192);
        Sink front = peers.sink(2048);
        Words offer = header(RDMA_MSG)
                .and(0)
                .chunk(pages.segment())
                .chunk(front.segment())
                .and(0, 0)
                .call(XID, ALBUM, 2, 4); // ALBUM_ARRANGE
        client.send(offer.and(0) // no pages
                .and(1) // a front
                .text("abc")
                .and(0)
                .and(7));

        peers.assertAnswer(header(RDMA_MSG)
                .and(0)
                .chunk(used(pages.segment(), 0))
                .chunk(used(front.segment(), 12))
                .and(0, 0)
                .reply(XID)
                .and(0, 1, 7));
        assertThat(front.bytes(12)).isEqualTo(new Words().text("abc").and(0).bytes());
    }

    @Test
    void manyNamesComeByALongCallAndGoByALongReply() throws Exception {
        Words message = new Words()
                .call(XID, ALBUM, 2, 6) // ALBUM_NAME
                .text("abc")
                .and(100);
        Words answer = new Words().reply(XID).and(100);
        for (int i = 0; i < 100; i++) {
            message.text("Ann-Sofie");
            answer.text("Ann-Sofie");
        }
        RemoteSegment source = peers.source(message.and(2000).bytes());
        Sink reply = peers.sink(24 + 2000);
        client.send(header(RDMA_NOMSG)
                .read(0, source) // the Position Zero Read chunk
                .and(0)
                .and(0)
                .chunk(reply.segment())); // the Reply chunk

        int length = 24 + 4 + 100 * 16;
        peers.assertAnswer(header(RDMA_NOMSG).and(0, 0).chunk(used(reply.segment(), length)));
        assertThat(reply.bytes(length)).isEqualTo(answer.bytes());
    }

    @Test
    void theCountOfNumbersIsInTheStreamAndTheirBytesAreInTheChunk() throws Exception {
        Sink counts = peers.sink(2000);
        client.send(header(RDMA_MSG)
                .and(0)
                .chunk(counts.segment())
                .and(0, 0)
                .call(XID, ALBUM, 2, 5) // ALBUM_HISTOGRAM
                .text("abc")
                .and(2000));

        peers.assertAnswer(header(RDMA_MSG)
                .and(0)
                .chunk(used(counts.segment(), 12))
                .and(0, 0)
                .reply(XID)
                .and(3));
        assertThat(counts.bytes(12)).isEqualTo(new Words().and(5, 6, 7).bytes());
    }

    @Test
    void anOperationThatFailsEndsTheCallAndItsWriteChunksComeBackUnused() throws Exception {
        Sink thumbnail = peers.sink(100);
        Sink pixels = peers.sink(200);
        Sink later = peers.sink(100);
        Sink last = peers.sink(200);
        client.send(header(RDMA_MSG)
                .and(0)
                .chunk(thumbnail.segment())
                .chunk(pixels.segment())
                .chunk(later.segment())
                .chunk(last.segment())
                .and(0, 0)
                .call(XID, ALBUM, 2, 1) // ALBUM_EDIT
                .text("me")
                .text("quietly")
                .and(4)
                .and(3) // DO_STORE
                .text("sea")
                .counted(pattern(5))
                .and(2, 0, 100, 200) // DO_FETCH of picture 0
                .and(2, 9, 100, 200) // DO_FETCH of picture 9
                .and(8)); // DO_COUNT, which is not reached

        peers.assertAnswer(header(RDMA_MSG)
                .and(0)
                .chunk(used(thumbnail.segment(), 9))
                .chunk(used(pixels.segment(), 9))
                .chunk(used(later.segment(), 0))
                .chunk(used(last.segment(), 0))
                .and(0, 0)
                .reply(XID)
                .and(3)
                .and(3, 0, 0) // stored as picture 0
                .and(2, 0, 9) // fetched: the count of the thumbnail
                .text("sea")
                .and(9) // the count of the pixels
                .and(2, 2) // ALBUM_NO_PICTURE
                .text("there are 1"));
        assertThat(thumbnail.bytes(9)).isEqualTo(ascii("small sea"));
        assertThat(pixels.bytes(9)).isEqualTo(ascii("large sea"));
    }

    /** Neither a picture's id nor a photo's count is eligible. */
    @Test
    void eachProgramOfAConnectionAnswersViolationsAsItsOwnBindingSays() throws Exception {
        RemoteSegment chunk = peers.source(pattern(4));
        client.send(header(RDMA_MSG)
                .read(40 + 4, chunk)
                .and(0)
                .and(0, 0)
                .call(XID, ALBUM, 2, 6) // ALBUM_NAME
                .and(4)
                .and(0)
                .and(100));
        peers.assertAnswer(header(RDMA_MSG).and(0, 0, 0).and(XID, 1, 0, 0, 0, GARBAGE_ARGS));

        client.send(header(RDMA_MSG)
                .read(40, chunk)
                .and(0)
                .and(0, 0)
                .call(XID, FRAME, 1, 1) // FRAME_SHOW
                .and(100));
        peers.assertAnswer(header(RDMA_ERROR).and(ERR_CHUNK));

        client.send(header(RDMA_MSG).and(0, 0, 0).call(XID, ALBUM, 2, 0));
        peers.assertAnswer(header(RDMA_MSG).and(0, 0, 0).reply(XID));
        client.send(header(RDMA_MSG)
                .and(0, 0, 0)
                .call(XID, FRAME, 1, 1) // FRAME_SHOW
                .counted(pattern(3))
                .and(6));
        peers.assertAnswer(header(RDMA_MSG).and(0, 0, 0).reply(XID).counted(pattern(6)));
    }

    @Test
    void moreReadChunksThanAllowedViolateTheBinding() throws Exception {
        client.send(header(RDMA_MSG)
                .read(40 + 4, peers.source(pattern(501)))
                .read(44 + 504 + 4, peers.source(pattern(1001)))
                .and(0)
                .and(0, 0)
                .call(XID, FRAME, 1, 2) // FRAME_SHOW_TWO
                .and(501, 1001));

        peers.assertAnswer(header(RDMA_ERROR).and(ERR_CHUNK));
    }

    @Test
    void aCallInBackwardDirectionGoesInline() throws Exception {
        client.send(header(RDMA_MSG)
                .and(0, 0, 0)
                .call(XID, ALBUM, 2, 6) // ALBUM_NAME
                .text("abc")
                .and(0)
                .and(100));
        peers.assertAnswer(header(RDMA_MSG).and(0, 0, 0).reply(XID).and(0));

        RpcCall<Void> told =
                Viewer1Client.on((RpcConnection) gallery.event()).addedAsync(id("abc"), XdrString.of("sea"));

        int[] sent = client.receive();
        // The server requests sixteen credits in this direction.
        assertThat(sent)
                .containsExactly(Words.of(Words.header(sent[0], 16, RDMA_MSG)
                        .and(0, 0, 0)
                        .call(sent[0], VIEWER, 1, 1) // VIEWER_ADDED
                        .text("abc")
                        .text("sea")
                        .bytes()));
        client.send(Words.header(sent[0], 1, RDMA_MSG).and(0, 0, 0).reply(sent[0]));
        told.await();
    }

    private static ByteBuffer ascii(String text) {
        return StandardCharsets.US_ASCII.encode(text);
    }
}
