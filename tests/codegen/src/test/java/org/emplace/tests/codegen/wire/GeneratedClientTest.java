// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.emplace.rpcrdma.Blobs.pattern;
import static org.emplace.rpcrdma.Words.segment;
import static org.emplace.rpcrdma.Words.used;
import static org.emplace.tests.codegen.wire.AlbumWords.ALBUM;
import static org.emplace.tests.codegen.wire.AlbumWords.FRAME;
import static org.emplace.tests.codegen.wire.AlbumWords.RDMA_MSG;
import static org.emplace.tests.codegen.wire.AlbumWords.VIEWER;
import static org.emplace.tests.codegen.wire.AlbumWords.id;
import static org.emplace.tests.codegen.wire.AlbumWords.pages;
import static org.emplace.tests.codegen.wire.AlbumWords.photo;
import static org.emplace.tests.codegen.wire.AlbumWords.sea;
import static org.emplace.tests.codegen.wire.AlbumWords.wordsOfPages;
import static org.emplace.tests.codegen.wire.ClientOfRawServer.assertSent;
import static org.emplace.tests.codegen.wire.ClientOfRawServer.header;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpc.Destination;
import org.emplace.rpc.OperationException;
import org.emplace.rpc.OperationResult;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.ServerCall;
import org.emplace.rpcrdma.Words;
import org.emplace.tests.codegen.album.Album2EditCall;
import org.emplace.tests.codegen.album.AlbumStatus;
import org.emplace.tests.codegen.album.Answer;
import org.emplace.tests.codegen.album.Answers;
import org.emplace.tests.codegen.album.Contents;
import org.emplace.tests.codegen.album.Cover;
import org.emplace.tests.codegen.album.Entry;
import org.emplace.tests.codegen.album.Fetched;
import org.emplace.tests.codegen.album.Histogram;
import org.emplace.tests.codegen.album.Listing;
import org.emplace.tests.codegen.album.Names;
import org.emplace.tests.codegen.album.Outcomes;
import org.emplace.tests.codegen.album.Photo;
import org.emplace.tests.codegen.album.PictureId;
import org.emplace.tests.codegen.album.Viewer1Server;
import org.emplace.tests.codegen.album.WantedPicture;
import org.emplace.tests.codegen.album.WantedPictures;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How a generated client encodes arguments and decodes results of each type. */
final class GeneratedClientTest {
    @AutoClose
    private final ClientOfRawServer peers = new ClientOfRawServer();

    @Test
    void twoArgumentsOfOddLengthAreReadChunksWithoutTheirPadding() throws Exception {
        RpcCall<PictureId> call = peers.album.addAsync(sea(pattern(1025), pattern(2047)));

        int[] sent = peers.server.receive();
        RemoteSegment thumbnail = used(segment(sent, 6), 1025);
        RemoteSegment pixels = used(segment(sent, 12), 2047);
        assertSent(
                sent,
                header(sent, RDMA_MSG)
                        .read(40 + 8 + 4, thumbnail) // a Read chunk after the RPC header, the title and the count
                        .read(
                                52 + 1028 + 12 + 4,
                                pixels) // a Read chunk after the padded thumbnail, the marks and the count
                        .and(0) // the end of the Read list
                        .and(0, 0) // neither Write list nor Reply chunk
                        .call(sent[0], ALBUM, 2, 2) // ALBUM_ADD
                        .text("sea")
                        .and(1025)
                        .and(2, 1 << 1, 1 << 1) // marks 1 and 33
                        .and(2047)
                        .and(0, 7)); // taken
        assertThat(peers.read(thumbnail)).isEqualTo(pattern(1025));
        assertThat(peers.read(pixels)).isEqualTo(pattern(2047));

        peers.server.send(header(sent, RDMA_MSG).and(0, 0, 0).reply(sent[0]).text("sea-1"));
        assertThat(call.await()).isEqualTo(id("sea-1"));
    }

    /** The third result is the second one present, so it uses the second Write chunk. */
    @Test
    void anElementThatFailsBetweenResultsTakesNoWriteChunk() throws Exception {
        ByteBuffer first = ByteBuffer.allocateDirect(400);
        ByteBuffer second = ByteBuffer.allocateDirect(400);
        RpcCall<Answers> call = peers.album.getAsync(
                new WantedPictures(List.of(
                        new WantedPicture(id("a"), 400),
                        new WantedPicture(id("b"), 400),
                        new WantedPicture(id("c"), 400))),
                List.of(Destination.into(first), Destination.into(second), Destination.allocate()));

        int[] sent = peers.server.receive();
        RemoteSegment chunk1 = used(segment(sent, 7), 400);
        RemoteSegment chunk2 = used(segment(sent, 13), 400);
        RemoteSegment chunk3 = used(segment(sent, 19), 400);
        assertSent(
                sent,
                header(sent, RDMA_MSG)
                        .and(0) // no Read list
                        .chunk(chunk1)
                        .chunk(chunk2)
                        .chunk(chunk3)
                        .and(0) // the end of the Write list
                        .and(0) // no Reply chunk
                        .call(sent[0], ALBUM, 2, 3) // ALBUM_GET
                        .and(3)
                        .text("a")
                        .and(400)
                        .text("b")
                        .and(400)
                        .text("c")
                        .and(400));

        peers.write(pattern(301), used(chunk1, 301));
        peers.write(pattern(399), used(chunk2, 399));
        peers.server.send(header(sent, RDMA_MSG)
                .and(0)
                .chunk(used(chunk1, 301))
                .chunk(used(chunk2, 399))
                .chunk(used(chunk3, 0))
                .and(0, 0)
                .reply(sent[0])
                .and(3)
                .and(0, 301, 0, 7) // ALBUM_OK, the count of the pixels, taken
                .and(9) // a status that the definition does not name
                .text("gone")
                .and(0, 399, 0, 8));

        List<Answer> answers = call.await().all();
        assertThat(((Answer.AlbumOk) answers.get(0)).picture().taken()).isEqualTo(7);
        assertThat(first.slice(0, 301)).isEqualTo(pattern(301));
        assertThat(answers.get(1)).isEqualTo(new Answer.Default(AlbumStatus.of(9), XdrString.of("gone")));
        assertThat(((Answer.AlbumOk) answers.get(2)).picture().pixels().length())
                .isEqualTo(399);
        assertThat(second.slice(0, 399)).isEqualTo(pattern(399));
    }

    @Test
    void anArrayAndOptionalDataAreChunksWithAllThatIsInThemAndTheirCountAndFlagAreInTheStream() throws Exception {
        Contents contents = new Contents(pages(30), Optional.of(new Cover(id("abc"), pages(30))), 7);
        RpcCall<Contents> call = peers.album.arrangeAsync(contents);

        int[] sent = peers.server.receive();
        RemoteSegment pages = used(segment(sent, 6), 30 * 36);
        RemoteSegment front = used(segment(sent, 12), 8 + 4 + 30 * 36);
        RemoteSegment newPages = used(segment(sent, 19), 8192);
        RemoteSegment newFront = used(segment(sent, 25), 2048);
        assertSent(
                sent,
                header(sent, RDMA_MSG)
                        .read(40 + 4, pages)
                        .read(44 + 1080 + 4, front)
                        .and(0)
                        .chunk(newPages)
                        .chunk(newFront)
                        .and(0)
                        .and(0)
                        .call(sent[0], ALBUM, 2, 4) // ALBUM_ARRANGE
                        .and(30) // pages
                        .and(1) // there is a front
                        .and(7)); // edition
        assertThat(peers.read(pages)).isEqualTo(wordsOfPages(30).bytes());
        assertThat(peers.read(front))
                .isEqualTo(new Words().text("abc").and(30).and(wordsOfPages(30)).bytes());

        peers.write(wordsOfPages(2).bytes(), used(newPages, 72));
        peers.server.send(header(sent, RDMA_MSG)
                .and(0)
                .chunk(used(newPages, 72))
                .chunk(used(newFront, 0))
                .and(0, 0)
                .reply(sent[0])
                .and(2) // pages
                .and(0) // there is no front
                .and(8));
        assertThat(call.await()).isEqualTo(new Contents(pages(2), Optional.empty(), 8));
    }

    @Test
    void whatIsEmptyOrAbsentHasNoReadChunk() throws Exception {
        Cover cover = new Cover(id("abc"), pages(30));
        RpcCall<Contents> first = peers.album.arrangeAsync(new Contents(List.of(), Optional.of(cover), 7));
        int[] onlyFront = peers.server.receive();
        assertThat(onlyFront).startsWith(readList(onlyFront, 40 + 4 + 4, 8 + 4 + 1080));
        assertThat(onlyFront).endsWith(0, 1, 7); // no pages, a front, the edition
        peers.server.send(header(onlyFront, RDMA_MSG)
                .and(0)
                .chunk(used(segment(onlyFront, 13), 0))
                .chunk(used(segment(onlyFront, 19), 0))
                .and(0, 0)
                .reply(onlyFront[0])
                .and(0, 0, 8)); // no pages, no front
        assertThat(first.await()).isEqualTo(new Contents(List.of(), Optional.empty(), 8));

        peers.album.arrangeAsync(new Contents(pages(30), Optional.empty(), 9));
        int[] onlyPages = peers.server.receive();
        assertThat(onlyPages).startsWith(readList(onlyPages, 40 + 4, 1080));
        assertThat(onlyPages).endsWith(30, 0, 9);
    }

    /** A header with one Read chunk. */
    private static int[] readList(int[] sent, int position, int length) {
        return Words.of(header(sent, RDMA_MSG)
                .read(position, used(segment(sent, 6), length))
                .and(0)
                .bytes());
    }

    @Test
    void theCountOfNumbersIsInTheStreamAndTheirBytesAreInTheChunk() throws Exception {
        RpcCall<Histogram> call = peers.album.histogramAsync(id("abc"), 2000, Destination.allocate());

        int[] sent = peers.server.receive();
        RemoteSegment counts = used(segment(sent, 7), 2000);
        assertSent(
                sent,
                header(sent, RDMA_MSG)
                        .and(0)
                        .chunk(counts)
                        .and(0, 0)
                        .call(sent[0], ALBUM, 2, 5) // ALBUM_HISTOGRAM
                        .text("abc")
                        .and(2000));

        peers.write(new Words().and(5, 6, 7).bytes(), used(counts, 12));
        peers.server.send(header(sent, RDMA_MSG)
                .and(0)
                .chunk(used(counts, 12))
                .and(0, 0)
                .reply(sent[0])
                .and(3));
        assertThat(call.await().counts().buffer())
                .isEqualTo(new Words().and(5, 6, 7).bytes());
    }

    @Test
    void operationsAreOneCallWithAWriteChunkForEachResultThatMayHaveOne() throws Exception {
        Album2EditCall edit = peers.album.edit(XdrString.of("me"), XdrString.of("quietly"));
        edit.store(XdrString.of("holiday"), Payload.of(pattern(2049)));
        OperationResult<Listing> list = edit.list();
        OperationResult<Fetched> fetch = edit.fetch(0, 101, 2049, Destination.allocate(), Destination.allocate());
        RpcCall<Outcomes> call = edit.start();

        int[] sent = peers.server.receive();
        RemoteSegment pixels = used(segment(sent, 6), 2049);
        RemoteSegment entries = used(segment(sent, 13), 8192);
        RemoteSegment thumbnail = used(segment(sent, 19), 101);
        RemoteSegment fetched = used(segment(sent, 25), 2049);
        assertSent(
                sent,
                header(sent, RDMA_MSG)
                        .read(40 + 8 + 12 + 4 + 4 + 12 + 4, pixels)
                        .and(0)
                        .chunk(entries)
                        .chunk(thumbnail)
                        .chunk(fetched)
                        .and(0)
                        .and(0)
                        .call(sent[0], ALBUM, 2, 1) // ALBUM_EDIT
                        .text("me")
                        .text("quietly")
                        .and(3)
                        .and(3) // DO_STORE
                        .text("holiday")
                        .and(2049)
                        .and(7) // DO_LIST
                        .and(2, 0, 101, 2049)); // DO_FETCH

        peers.write(new Words().and(0).text("holiday").bytes(), used(entries, 16));
        peers.server.send(header(sent, RDMA_MSG)
                .and(0)
                .chunk(used(entries, 16))
                .chunk(used(thumbnail, 0))
                .chunk(used(fetched, 0))
                .and(0, 0)
                .reply(sent[0])
                .and(3)
                .and(3, 0, 0) // stored as picture 0
                .and(7, 0, 1) // listed, one entry
                .and(2, 2) // ALBUM_NO_PICTURE
                .text("gone"));
        call.await();
        assertThat(list.get().entries()).containsExactly(new Entry(0, XdrString.of("holiday")));
        assertThatExceptionOfType(OperationException.Failed.class)
                .isThrownBy(fetch::get)
                .satisfies(failure -> assertThat(failure.status()).isEqualTo(AlbumStatus.ALBUM_NO_PICTURE));
    }

    @Test
    void twoProgramsShareAConnectionAndItsXids() throws Exception {
        RpcCall<Void> first = peers.album.nullProcedureAsync();
        int[] ping = peers.server.receive();
        assertSent(ping, header(ping, RDMA_MSG).and(0, 0, 0).call(ping[0], ALBUM, 2, 0));
        peers.server.send(header(ping, RDMA_MSG).and(0, 0, 0).reply(ping[0]));
        first.await();

        RpcCall<Names> name = peers.album.nameAsync(id("abc"), new Names(List.of(XdrString.of("Zoe"))), 100);
        RpcCall<Photo> show = peers.frame.showAsync(photo(3), 100, Destination.allocate());
        int[] ofAlbum = peers.server.receive();
        int[] ofFrame = peers.server.receive();
        assertSent(
                ofAlbum,
                header(ofAlbum, RDMA_MSG)
                        .and(0, 0, 0)
                        .call(ofAlbum[0], ALBUM, 2, 6) // ALBUM_NAME
                        .text("abc")
                        .and(1)
                        .text("Zoe")
                        .and(100));
        assertSent(
                ofFrame,
                header(ofFrame, RDMA_MSG)
                        .and(0, 0, 0)
                        .call(ofFrame[0], FRAME, 1, 1) // FRAME_SHOW
                        .counted(pattern(3))
                        .and(100));
        assertThat(ofFrame[0]).isNotEqualTo(ofAlbum[0]);

        peers.server.send(
                header(ofFrame, RDMA_MSG).and(0, 0, 0).reply(ofFrame[0]).counted(pattern(6)));
        peers.server.send(
                header(ofAlbum, RDMA_MSG).and(0, 0, 0).reply(ofAlbum[0]).and(0));
        assertThat(name.await()).isEqualTo(new Names(List.of()));
        assertThat(show.await().pixels().buffer()).isEqualTo(pattern(6));
    }

    @Test
    void aCallInBackwardDirectionIsAnsweredInline() throws Exception {
        BlockingQueue<PictureId> added = new LinkedBlockingQueue<>();
        peers.connection.serve(Viewer1Server.service(new Viewer1Server() {
            @Override
            public void added(PictureId picture, XdrString title, ServerCall call) {
                added.add(picture);
            }
        }));
        peers.album.nullProcedureAsync();
        peers.server.receive();

        peers.server.send(Words.header(7, 1, RDMA_MSG)
                .and(0, 0, 0)
                .call(7, VIEWER, 1, 1) // VIEWER_ADDED
                .text("abc")
                .text("sea"));

        // The client grants two credits in this direction.
        assertSent(
                peers.server.receive(),
                Words.header(7, 2, RDMA_MSG).and(0, 0, 0).reply(7));
        assertThat(added).containsExactly(id("abc"));
    }
}
