// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpcrdma.Blobs.pattern;
import static org.emplace.rpcrdma.Words.segment;
import static org.emplace.rpcrdma.Words.used;
import static org.emplace.tests.codegen.wire.AlbumWords.ALBUM;
import static org.emplace.tests.codegen.wire.AlbumWords.FRAME;
import static org.emplace.tests.codegen.wire.AlbumWords.LARGE_CREDENTIAL;
import static org.emplace.tests.codegen.wire.AlbumWords.RDMA_MSG;
import static org.emplace.tests.codegen.wire.AlbumWords.RDMA_NOMSG;
import static org.emplace.tests.codegen.wire.AlbumWords.id;
import static org.emplace.tests.codegen.wire.AlbumWords.photo;
import static org.emplace.tests.codegen.wire.AlbumWords.sea;
import static org.emplace.tests.codegen.wire.ClientOfRawServer.OPTIONS;
import static org.emplace.tests.codegen.wire.ClientOfRawServer.assertSent;
import static org.emplace.tests.codegen.wire.ClientOfRawServer.header;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RpcCall;
import org.emplace.rpcrdma.Words;
import org.emplace.tests.codegen.album.Answer;
import org.emplace.tests.codegen.album.Answers;
import org.emplace.tests.codegen.album.Found;
import org.emplace.tests.codegen.album.Names;
import org.emplace.tests.codegen.album.Photo;
import org.emplace.tests.codegen.album.TwoPhotos;
import org.emplace.tests.codegen.album.WantedPicture;
import org.emplace.tests.codegen.album.WantedPictures;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The largest inline messages of a generated client, and how larger ones are sent. A Reply chunk has room for a verifier of 400 bytes.
 */
final class GeneratedClientSizesTest {
    @AutoClose
    private final ClientOfRawServer peers = new ClientOfRawServer();

    /** Without the credential, the whole message would be inline. */
    @Test
    void aLargeCredentialCountsInTheSizeOfTheCallAndInPositions() throws Exception {
        peers.album.with(OPTIONS.withAuth(LARGE_CREDENTIAL)).addAsync(sea(pattern(5), pattern(621)));

        int[] sent = peers.server.receive();
        RemoteSegment pixels = used(segment(sent, 6), 621);
        Words header = header(sent, RDMA_MSG)
                .read(380 + 8 + 4 + 8 + 12 + 4, pixels) // a Read chunk
                .and(0)
                .and(0, 0);
        assertSent(
                sent,
                AlbumWords.callWithLargeCredential(header, sent[0], 2)
                        .text("sea")
                        .counted(pattern(5))
                        .and(2, 1 << 1, 1 << 1)
                        .and(621)
                        .and(0, 7));
        assertThat(peers.read(pixels)).isEqualTo(pattern(621));
    }

    /**
     * The lengths of call and reply without padding; with it, they are 1024, 1024 and 1028 bytes. The verifier has the largest length of RFC
     * 5531.
     */
    @ParameterizedTest
    @ValueSource(ints = {1023, 1024, 1025})
    void messagesOfUpTo1024BytesGoInline(int length) throws Exception {
        int shown = length - 28 - 40 - 4 - 4;
        int most = length - 28 - 24 - 400 - 4;
        RpcCall<Photo> call = peers.frame.showAsync(photo(shown), most, Destination.allocate());

        int[] sent = peers.server.receive();
        if (length <= 1024) {
            assertSent(
                    sent,
                    header(sent, RDMA_MSG)
                            .and(0, 0, 0)
                            .call(sent[0], FRAME, 1, 1) // FRAME_SHOW
                            .counted(pattern(shown))
                            .and(most));
            peers.server.send(header(sent, RDMA_MSG)
                    .and(0, 0, 0)
                    .and(sent[0], 1, 0) // REPLY, MSG_ACCEPTED
                    .and(2) // AUTH_SHORT
                    .counted(pattern(400))
                    .and(0) // SUCCESS
                    .counted(pattern(most)));
        } else {
            RemoteSegment source = used(segment(sent, 6), shown);
            RemoteSegment sink = used(segment(sent, 13), most);
            assertSent(
                    sent,
                    header(sent, RDMA_MSG)
                            .read(40 + 4, source)
                            .and(0)
                            .chunk(sink) // a Write chunk of one segment
                            .and(0)
                            .and(0) // no Reply chunk
                            .call(sent[0], FRAME, 1, 1) // FRAME_SHOW
                            .and(shown, most));
            assertThat(peers.read(source)).isEqualTo(pattern(shown));
            peers.write(pattern(most), sink);
            peers.server.send(header(sent, RDMA_MSG)
                    .and(0)
                    .chunk(sink)
                    .and(0, 0)
                    .reply(sent[0])
                    .and(most));
        }
        assertThat(call.await().pixels().buffer()).isEqualTo(pattern(most));
    }

    @Test
    void manyNamesAreALongCallAndALongReply() throws Exception {
        Names people = new Names(Collections.nCopies(100, XdrString.of("Ann-Sofie")));
        RpcCall<Names> call = peers.album.nameAsync(id("abc"), people, 2000);

        int[] sent = peers.server.receive();
        RemoteSegment message = used(segment(sent, 6), 40 + 8 + 4 + 100 * 16 + 4);
        RemoteSegment reply = used(segment(sent, 14), 24 + 400 + 2000);
        assertSent(
                sent,
                header(sent, RDMA_NOMSG)
                        .read(0, message) // the Position Zero Read chunk
                        .and(0)
                        .and(0) // no Write list
                        .chunk(reply)); // the Reply chunk
        Words expected = new Words()
                .call(sent[0], ALBUM, 2, 6) // ALBUM_NAME
                .text("abc")
                .and(100);
        for (int i = 0; i < 100; i++) {
            expected.text("Ann-Sofie");
        }
        assertThat(peers.read(message)).isEqualTo(expected.and(2000).bytes());

        Words answer = new Words().reply(sent[0]).and(50);
        for (int i = 0; i < 50; i++) {
            answer.text("Zoe");
        }
        peers.write(answer.bytes(), used(reply, 24 + 4 + 50 * 8));
        peers.server.send(header(sent, RDMA_NOMSG).and(0, 0).chunk(used(reply, 428)));
        assertThat(call.await()).isEqualTo(new Names(Collections.nCopies(50, XdrString.of("Zoe"))));
    }

    /** The larger argument gets the only Read chunk, the first result the only Write chunk. The rest of the reply needs a Reply chunk. */
    @Test
    void thereAreNoMoreChunksThanTheBindingAllows() throws Exception {
        RpcCall<TwoPhotos> call = peers.frame.showTwoAsync(
                new TwoPhotos(photo(501), photo(1001)), Destination.allocate(), Destination.allocate());

        int[] sent = peers.server.receive();
        RemoteSegment right = used(segment(sent, 6), 1001);
        RemoteSegment result = used(segment(sent, 13), 1200);
        RemoteSegment reply = used(segment(sent, 20), 24 + 400 + 4 + 4 + 1200);
        assertSent(
                sent,
                header(sent, RDMA_MSG)
                        .read(40 + 4 + 504 + 4, right)
                        .and(0)
                        .chunk(result)
                        .and(0)
                        .chunk(reply)
                        .call(sent[0], FRAME, 1, 2) // FRAME_SHOW_TWO
                        .counted(pattern(501))
                        .and(1001));

        peers.write(pattern(1199), used(result, 1199));
        peers.write(new Words().reply(sent[0]).and(1199).counted(pattern(5)).bytes(), used(reply, 40));
        peers.server.send(
                header(sent, RDMA_NOMSG).and(0).chunk(used(result, 1199)).and(0).chunk(used(reply, 40)));
        assertThat(call.await().left().pixels().buffer()).isEqualTo(pattern(1199));
        assertThat(call.await().right().pixels().buffer()).isEqualTo(pattern(5));
    }

    /** 39 Write chunks besides the Position Zero Read chunk and the Reply chunk: 28 + 39 * 24 + 24 + 20 = 1008 bytes. */
    @Test
    void thereAreNoMoreWriteChunksThanTheHeaderHasRoomFor() throws Exception {
        WantedPictures wanted = new WantedPictures(Collections.nCopies(60, new WantedPicture(id("a"), 16)));
        RpcCall<Answers> call = peers.album.getAsync(wanted, List.of());

        int[] sent = peers.server.receive();
        RemoteSegment message = used(segment(sent, 6), 40 + 4 + 60 * 12);
        Words lists = new Words().read(0, message).and(0);
        Words returned = new Words().and(0);
        Words results = new Words().reply(sent[0]).and(60);
        for (int i = 0; i < 39; i++) {
            RemoteSegment chunk = used(segment(sent, 13 + 6 * i), 16);
            lists.chunk(chunk);
            returned.chunk(chunk);
            results.and(0, 16, 0, i); // ALBUM_OK, the count of the pixels, taken
            peers.write(pixels(i), chunk);
        }
        RemoteSegment reply = used(segment(sent, 14 + 6 * 39), 24 + 400 + 400 + 21 * 16);
        assertSent(sent, header(sent, RDMA_NOMSG).and(lists).and(0).chunk(reply));

        results.and(0, 16).padded(pixels(39)).and(0, 39);
        for (int i = 40; i < 60; i++) {
            results.and(2, 0); // ALBUM_NO_PICTURE, without a reason
        }
        peers.write(results.bytes(), used(reply, 24 + 4 + 39 * 16 + 32 + 20 * 8));
        peers.server.send(
                header(sent, RDMA_NOMSG).and(returned).and(0).chunk(used(reply, 24 + 4 + 39 * 16 + 32 + 20 * 8)));
        for (int i = 0; i < 40; i++) {
            Found found = ((Answer.AlbumOk) call.await().all().get(i)).picture();
            assertThat(found.pixels().buffer()).isEqualTo(pixels(i));
            assertThat(found.taken()).isEqualTo(i);
        }
    }

    /** Different pixels for each picture. */
    private static ByteBuffer pixels(int picture) {
        return pattern(picture + 16).slice(picture, 16);
    }
}
