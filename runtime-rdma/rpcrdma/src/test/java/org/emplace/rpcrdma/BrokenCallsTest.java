// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpcrdma.ServerOfRawPeer.CREDITS;
import static org.emplace.rpcrdma.ServerOfRawPeer.ECHO;
import static org.emplace.rpcrdma.ServerOfRawPeer.GET;
import static org.emplace.rpcrdma.ServerOfRawPeer.GRANTED;
import static org.emplace.rpcrdma.ServerOfRawPeer.NOWHERE;
import static org.emplace.rpcrdma.ServerOfRawPeer.PUT;
import static org.emplace.rpcrdma.ServerOfRawPeer.SWAP;
import static org.emplace.rpcrdma.ServerOfRawPeer.XID;

import java.util.List;
import java.util.stream.Stream;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How a server answers calls that are malformed, and chunks that it cannot use. */
final class BrokenCallsTest {
    /** Long enough for 260 segments. */
    private static final int INLINE_THRESHOLD = 8192;

    @AutoClose
    private final ServerOfRawPeer server =
            new ServerOfRawPeer(ConnectionOptions.DEFAULT.withInlineThreshold(INLINE_THRESHOLD));

    private final RawPeer raw = server.raw;

    @Test
    void aPeerWithAnotherVersionGetsTheSupportedOnes() throws Exception {
        raw.send(new Words().and(XID, 2, CREDITS, 77));

        assertThat(raw.receive()).containsExactly(XID, 1, GRANTED, 4, 1, 1, 1);
    }

    @Test
    void shortMessagesRdmaDoneAndErrorsAreDropped() throws Exception {
        raw.send(new Words().and(XID, 1, 0));
        raw.send(Words.header(XID, CREDITS, 3));
        raw.send(Words.header(XID, CREDITS, 4).and(2));
        raw.send(Words.header(XID, CREDITS, 4).and(9));

        assertServerStillAnswers();
    }

    @Test
    void aPeerThatSendsNothingButSuchMessagesLosesItsConnection() throws Exception {
        for (int message = 0; message < 100; message++) {
            raw.queuePair().post(List.of(raw.sendOf(Words.header(XID, CREDITS, 3))));
        }
        raw.awaitEnd();
    }

    static Stream<Arguments> brokenChunkLists() {
        return Stream.of(
                Arguments.of(
                        "a misaligned position",
                        Words.header(XID, CREDITS, 0)
                                .read(50, NOWHERE)
                                .and(0, 0, 0)
                                .call(XID, PUT)),
                Arguments.of(
                        "Position Zero in RDMA_MSG",
                        Words.header(XID, CREDITS, 0)
                                .read(0, NOWHERE)
                                .and(0, 0, 0)
                                .call(XID, PUT)),
                Arguments.of(
                        "RDMA_NOMSG without Position Zero",
                        Words.header(XID, CREDITS, 1).read(48, NOWHERE).and(0, 0, 0)),
                Arguments.of(
                        "a Position Zero chunk too short for a call",
                        Words.header(XID, CREDITS, 1).read(0, NOWHERE).and(0, 0, 0)),
                Arguments.of(
                        "more than the largest message",
                        Words.header(XID, CREDITS, 0)
                                .read(48, new RemoteSegment(1, 0, 4 << 20))
                                .read(48, NOWHERE)
                                .and(0, 0, 0)
                                .call(XID, PUT)),
                Arguments.of(
                        "a Reply chunk of no segments",
                        Words.header(XID, CREDITS, 0).and(0, 0).and(1, 0).call(XID, GET)),
                Arguments.of(
                        "a Write chunk of 260 segments",
                        Words.header(XID, CREDITS, 0)
                                .and(0)
                                .and(1, 260)
                                .and(new int[260 * 4])
                                .and(0, 0)
                                .call(XID, GET)),
                Arguments.of("a Read chunk in segments of one byte", shortReads(17, 0)),
                Arguments.of(
                        "a Read chunk longer than any buffer",
                        Words.header(XID, CREDITS, 0)
                                .and(1, 44)
                                .and(0x100, -1, 0, 0)
                                .and(1, 44)
                                .and(0x101, -1, 0, 0)
                                .and(0, 0, 0)
                                .call(XID, PUT)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenChunkLists")
    void brokenChunkListsAreAnsweredWithErrChunk(String what, Words message) throws Exception {
        raw.send(message);

        assertThat(raw.receive()).as(what).containsExactly(XID, 1, GRANTED, 4, 2);
        assertServerStillAnswers();
    }

    static Stream<Arguments> messagesThatAreNoCall() {
        return Stream.of(
                Arguments.of("seventeen Write chunks", emptyWriteChunks(17)),
                Arguments.of("eighteen Read chunks", shortReads(18, 4)),
                Arguments.of("no chunk lists", Words.header(XID, CREDITS, 0)),
                Arguments.of("an unknown type", Words.header(XID, CREDITS, 5).and(0, 0, 0)),
                Arguments.of(
                        "a segment count beyond the message",
                        Words.header(XID, CREDITS, 0).and(0).and(1, -1).and(NOWHERE)),
                Arguments.of("no RPC message", Words.withoutChunks(XID, CREDITS)),
                Arguments.of(
                        "an xid and no more", Words.withoutChunks(XID, CREDITS).and(XID)),
                Arguments.of(
                        "the end within the RPC header",
                        Words.withoutChunks(XID, CREDITS)
                                .and(XID, 0, 2, (int) Blobs.PROGRAM.number(), (int) Blobs.PROGRAM.version(), 0, 0)),
                Arguments.of(
                        "the end within the credential",
                        Words.withoutChunks(XID, CREDITS)
                                .and(
                                        XID,
                                        0,
                                        2,
                                        (int) Blobs.PROGRAM.number(),
                                        (int) Blobs.PROGRAM.version(),
                                        0,
                                        1,
                                        24,
                                        0)),
                Arguments.of(
                        "another xid",
                        Words.withoutChunks(XID, CREDITS).call(XID + 9, PUT).and(0, 0)));
    }

    private static Words emptyWriteChunks(int chunks) {
        Words call = Words.header(XID, CREDITS, 0).and(0);
        for (int i = 0; i < chunks; i++) {
            call.and(1, 0);
        }
        return call.and(0, 0).call(XID, GET);
    }

    /** A Read list of segments of one byte at positions with a distance. */
    private static Words shortReads(int segments, int distance) {
        Words call = Words.header(XID, CREDITS, 0);
        for (int i = 0; i < segments; i++) {
            call.read(48 + i * distance, new RemoteSegment(1, 0, 1));
        }
        return call.and(0, 0, 0).call(XID, PUT);
    }

    /** The requested credits are ignored. The xid is used, so that the requester gets its credit back. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("messagesThatAreNoCall")
    void aMessageThatIsNotACallGetsErrChunkAndItsCreditsAreIgnored(String what, Words message) throws Exception {
        raw.send(message);

        assertThat(raw.receive()).as(what).containsExactly(XID, 1, 1, 4, 2);
        assertServerStillAnswers();
    }

    @Test
    void moreReadChunksThanAllowedViolateTheBinding() throws Exception {
        raw.send(withReadChunks(9, PUT));
        assertThat(raw.receive()).as("GARBAGE_ARGS").endsWith(XID, 1, 0, 0, 0, 4);

        raw.send(withReadChunks(9, SWAP));
        assertThat(raw.receive()).as("ERR_CHUNK").containsExactly(XID, 1, GRANTED, 4, 2);

        raw.send(withReadChunks(8, PUT));
        assertThat(raw.receive()).as("as many as it allows").endsWith(8 * 4);
    }

    /** Items of four bytes, each in a chunk of two segments: the number of chunks counts. */
    private Words withReadChunks(int chunks, int procedure) throws Exception {
        Words call = Words.header(XID, CREDITS, 0);
        for (int i = 0; i < chunks; i++) {
            RemoteSegment item = raw.expose(Blobs.pattern(4), Right.REMOTE_READ);
            int position = 40 + 4 + 8 * i + 4;
            call.and(1, position).and(new RemoteSegment(item.stag(), item.offset(), 2));
            call.and(1, position).and(new RemoteSegment(item.stag(), item.offset() + 2, 2));
        }
        call.and(0, 0, 0).call(XID, procedure).and(chunks);
        for (int i = 0; i < chunks; i++) {
            call.and(4);
        }
        return call.and(chunks);
    }

    @Test
    void moreWriteChunksThanAllowedViolateTheBinding() throws Exception {
        raw.send(withWriteChunks(9, GET).and(0));
        assertThat(raw.receive()).as("GARBAGE_ARGS").endsWith(XID, 1, 0, 0, 0, 4);

        raw.send(withWriteChunks(9, SWAP).and(0, 0));
        assertThat(raw.receive()).as("ERR_CHUNK").containsExactly(XID, 1, GRANTED, 4, 2);

        raw.send(withWriteChunks(8, GET).and(0));
        assertThat(raw.receive()).as("as many as it allows").endsWith(XID, 1, 0, 0, 0, 0, 0, 0);
    }

    private static Words withWriteChunks(int chunks, int procedure) {
        Words call = Words.header(XID, CREDITS, 0).and(0);
        for (int i = 0; i < chunks; i++) {
            call.chunk(NOWHERE);
        }
        return call.and(0, 0).call(XID, procedure);
    }

    /** The argument of ECHO is not eligible. */
    @Test
    void anIneligibleItemIsNotReadFromAChunkBesideALongCall() throws Exception {
        RemoteSegment message = exposed(new Words().call(XID, ECHO).and(8));
        RemoteSegment item = raw.expose(Blobs.pattern(8), Right.REMOTE_READ);
        raw.send(Words.header(XID, CREDITS, 1).read(0, message).read(44, item).and(0, 0, 0));

        assertThat(raw.receive()).as("GARBAGE_ARGS").endsWith(XID, 1, 0, 0, 0, 4);
    }

    @Test
    void aReadChunkThatIsNotAnArgumentViolatesTheBinding() throws Exception {
        raw.send(Words.header(XID, CREDITS, 0)
                .read(400, NOWHERE)
                .and(0, 0, 0)
                .call(XID, PUT)
                .and(0, 0));
        assertThat(raw.receive()).as("GARBAGE_ARGS").endsWith(XID, 1, 0, 0, 0, 4);

        raw.send(Words.header(XID, CREDITS, 0)
                .read(400, NOWHERE)
                .and(0, 0, 0)
                .call(XID, SWAP)
                .and(0, 0));
        assertThat(raw.receive()).as("ERR_CHUNK").containsExactly(XID, 1, GRANTED, 4, 2);
    }

    @Test
    void aReadChunkWhoseLengthDiffersFromItsItemViolatesTheBinding() throws Exception {
        raw.send(Words.header(XID, CREDITS, 0)
                .read(48, NOWHERE)
                .and(0, 0, 0)
                .call(XID, PUT)
                .and(1, 9, 0));

        assertThat(raw.receive()).as("GARBAGE_ARGS").endsWith(XID, 1, 0, 0, 0, 4);
    }

    /** The requester waits for a reply, which returns its credit. */
    @Test
    void aPositionZeroChunkWithoutACallGetsErrChunk() throws Exception {
        for (Words notACall : List.of(
                new Words().reply(XID),
                new Words().and(XID, 7, 2, 3, 4, 5),
                new Words().and(XID, 0, 2, (int) Blobs.PROGRAM.number()),
                new Words().call(XID + 9, PUT).and(0, 0))) {
            raw.send(Words.header(XID, CREDITS, 1).read(0, exposed(notACall)).and(0, 0, 0));

            assertThat(raw.receive()).containsExactly(XID, 1, 1, 4, 2);
        }
        assertServerStillAnswers();
    }

    private RemoteSegment exposed(Words words) throws Exception {
        return raw.expose(words.bytes(), Right.REMOTE_READ);
    }

    @Test
    void aReplyThatDoesNotFitTheChunksIsAnErrChunk() throws Exception {
        raw.send(Words.withoutChunks(XID, CREDITS).call(XID, GET).and(1, 100_000));
        assertThat(raw.receive()).as("no chunk").containsExactly(XID, 1, GRANTED, 4, 2);

        raw.send(Words.header(XID, CREDITS, 0)
                .and(0)
                .chunk(NOWHERE)
                .and(0, 0)
                .call(XID, GET)
                .and(1, 5));
        assertThat(raw.receive()).as("a Write chunk that is too short").containsExactly(XID, 1, GRANTED, 4, 2);

        raw.send(Words.header(XID, CREDITS, 0)
                .and(0, 0)
                .chunk(NOWHERE)
                .call(XID, GET)
                .and(1, 100_000));
        assertThat(raw.receive()).as("a Reply chunk that is too short").containsExactly(XID, 1, GRANTED, 4, 2);

        assertServerStillAnswers();
    }

    @Test
    void aPeerThatDoesNotAnswerRdmaReadsLosesOnlyItsOwnConnection() throws Exception {
        raw.send(Words.header(XID, CREDITS, 0)
                .read(48, NOWHERE)
                .and(0, 0, 0)
                .call(XID, PUT)
                .and(1, 4, 0));

        raw.awaitEnd();

        assertThat(Blobs.put(server.peers.client, Payload.of(Blobs.pattern(9000))))
                .isEqualTo(9000);
    }

    private void assertServerStillAnswers() throws Exception {
        int xid = XID + 1;
        raw.send(Words.withoutChunks(xid, CREDITS).call(xid, 0));
        assertThat(raw.receive()).startsWith(xid, 1, GRANTED, 0);
    }
}
