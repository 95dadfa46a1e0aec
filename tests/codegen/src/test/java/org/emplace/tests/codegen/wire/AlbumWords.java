// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.wire;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.rpcrdma.Blobs;
import org.emplace.rpcrdma.Words;
import org.emplace.tests.codegen.album.Mark;
import org.emplace.tests.codegen.album.Marks;
import org.emplace.tests.codegen.album.NewPicture;
import org.emplace.tests.codegen.album.Page;
import org.emplace.tests.codegen.album.Photo;
import org.emplace.tests.codegen.album.PictureId;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;

/** Numbers of album.x and of the headers, and some values with their encoding. */
final class AlbumWords {
    static final int RDMA_MSG = 0;
    static final int RDMA_NOMSG = 1;
    static final int RDMA_ERROR = 4;

    static final int ALBUM = 0x20000077;
    static final int FRAME = 0x20000078;
    static final int VIEWER = 0x20000079;

    /** The largest credential of AUTH_SYS. */
    static final AuthSys LARGE_CREDENTIAL = new AuthSys(
            0x11223344,
            XdrString.of("m".repeat(255)),
            1000,
            100,
            XdrUnsignedInts.of(IntStream.rangeClosed(1, 16).asLongStream().toArray()));

    /** Marks 1 and 33, which are encoded as two words with bit 1 each. */
    static final Marks MARKS = Marks.of(Mark.FAVORITE, Mark.SHARED);

    private AlbumWords() {}

    /** An RPC call with {@link #LARGE_CREDENTIAL}, up to its arguments: 380 bytes. */
    static Words callWithLargeCredential(Words header, int xid, int procedure) {
        return header.and(xid, 0, 2, ALBUM, 2, procedure)
                .and(1, 340) // AUTH_SYS, bytes of its body
                .and(0x11223344) // stamp
                .text("m".repeat(255)) // machinename
                .and(1000, 100) // uid, gid
                .and(16)
                .and(IntStream.rangeClosed(1, 16).toArray())
                .and(0, 0); // the verifier: AUTH_NONE
    }

    /** A picture with the title "sea" and {@link #MARKS}, taken at 7. */
    static NewPicture sea(ByteBuffer thumbnail, ByteBuffer pixels) {
        return new NewPicture(XdrString.of("sea"), Payload.of(thumbnail), MARKS, Payload.of(pixels), 7);
    }

    static Photo photo(int length) {
        return new Photo(Payload.of(Blobs.pattern(length)));
    }

    static PictureId id(String text) {
        return new PictureId(XdrOpaque.ofUtf8(text));
    }

    /** A number of equal pages. */
    static List<Page> pages(int count) {
        return Collections.nCopies(count, new Page(XdrString.of("summer"), List.of(id("abc"), id("abcde"))));
    }

    /** Their encoding, 36 bytes per page. */
    static Words wordsOfPages(int count) {
        Words words = new Words();
        for (int i = 0; i < count; i++) {
            words.text("summer").and(2).text("abc").text("abcde");
        }
        return words;
    }
}
