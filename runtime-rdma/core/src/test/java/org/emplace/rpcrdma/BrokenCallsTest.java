// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a server does with calls that are broken, or not its own, and with chunks that are of no use. */
final class BrokenCallsTest {
    private static final int XID = 0x5eed0001;
    private static final int CREDITS = 128;
    /** With the first answer; see {@link ManyClientsTest} for more. */
    private static final int GRANTED = 2;

    private static final RemoteSegment NOWHERE = new RemoteSegment(0x100, 0, 4);

    private static final int PUT = 1;
    private static final int GET = 2;
    private static final int SWAP = 3;

    private Peers peers;
    private RawPeer raw;

    @BeforeEach
    void connect() throws Exception {
        // Long enough for 260 segments.
        ConnectionOptions serving = ConnectionOptions.DEFAULT.withInlineThreshold(8192);
        peers = new Peers(Blobs.service(), serving, ConnectionOptions.DEFAULT);
        raw = RawPeer.connectedTo(peers.address(), RawPeer.privateData(false));
    }

    @AfterEach
    void close() {
        raw.close();
        peers.close();
    }

    @Test
    void aPeerOfAnotherVersionIsToldWhichThereAre() throws Exception {
        raw.send(new Words().and(XID, 2, CREDITS, 77));

        assertThat(raw.receive()).containsExactly(XID, 1, GRANTED, 4, 1, 1, 1);
    }

    @Test
    void runtsAndRdmaDoneAndErrorsAreDropped() throws Exception {
        raw.send(new Words().and(XID, 1, 0));
        raw.send(Words.header(XID, CREDITS, 3));
        raw.send(Words.header(XID, CREDITS, 4).and(2));
        raw.send(Words.header(XID, CREDITS, 4).and(9));
        raw.send(Words.header(XID, CREDITS, 0).and(0, 0, 0).and(XID));

        assertThatTheServerStillAnswers();
    }

    static Stream<Arguments> brokenChunkLists() {
        return Stream.of(
                Arguments.of("no chunk lists", Words.header(XID, CREDITS, 0)),
                Arguments.of("an unknown type", Words.header(XID, CREDITS, 5).and(0, 0, 0)),
                Arguments.of(
                        "a misaligned position",
                        Words.header(XID, CREDITS, 0)
                                .and(1, 50)
                                .and(NOWHERE)
                                .and(0, 0, 0)
                                .call(XID, PUT)),
                Arguments.of(
                        "Position Zero in RDMA_MSG",
                        Words.header(XID, CREDITS, 0)
                                .and(1, 0)
                                .and(NOWHERE)
                                .and(0, 0, 0)
                                .call(XID, PUT)),
                Arguments.of(
                        "RDMA_NOMSG without Position Zero",
                        Words.header(XID, CREDITS, 1).and(1, 48).and(NOWHERE).and(0, 0, 0)),
                Arguments.of(
                        "a Position Zero chunk too short for a call",
                        Words.header(XID, CREDITS, 1).and(1, 0).and(NOWHERE).and(0, 0, 0)),
                Arguments.of(
                        "more than the largest message",
                        Words.header(XID, CREDITS, 0)
                                .and(1, 48)
                                .and(new RemoteSegment(1, 0, 4 << 20))
                                .and(1, 48)
                                .and(NOWHERE)
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
                                .and(0)
                                .and(0)
                                .call(XID, GET)),
                Arguments.of(
                        "a segment count beyond the message",
                        Words.header(XID, CREDITS, 0).and(0).and(1, -1).and(NOWHERE)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenChunkLists")
    void brokenChunkListsAreAnsweredWithErrChunk(String what, Words message) throws Exception {
        raw.send(message);

        assertThat(raw.receive()).as(what).containsExactly(XID, 1, GRANTED, 4, 2);
        assertThatTheServerStillAnswers();
    }

    @Test
    void aReadChunkThatIsNoArgumentBreaksTheBinding() throws Exception {
        raw.send(Words.header(XID, CREDITS, 0)
                .and(1, 400)
                .and(NOWHERE)
                .and(0, 0, 0)
                .call(XID, PUT)
                .and(0, 0));
        assertThat(raw.receive()).as("GARBAGE_ARGS").endsWith(XID, 1, 0, 0, 0, 4);

        raw.send(Words.header(XID, CREDITS, 0)
                .and(1, 400)
                .and(NOWHERE)
                .and(0, 0, 0)
                .call(XID, SWAP)
                .and(0, 0));
        assertThat(raw.receive()).as("ERR_CHUNK").containsExactly(XID, 1, GRANTED, 4, 2);
    }

    @Test
    void aReadChunkOfAnotherLengthThanItsItemBreaksTheBinding() throws Exception {
        raw.send(Words.header(XID, CREDITS, 0)
                .and(1, 48)
                .and(NOWHERE)
                .and(0, 0, 0)
                .call(XID, PUT)
                .and(1, 9, 0));

        assertThat(raw.receive()).as("GARBAGE_ARGS").endsWith(XID, 1, 0, 0, 0, 4);
    }

    @Test
    void aReplyThatFitsNothingOfferedIsAnErrChunk() throws Exception {
        raw.send(Words.header(XID, CREDITS, 0).and(0, 0, 0).call(XID, GET).and(1, 100_000));
        assertThat(raw.receive()).as("no chunk").containsExactly(XID, 1, GRANTED, 4, 2);

        raw.send(Words.header(XID, CREDITS, 0)
                .and(0)
                .and(1, 1)
                .and(NOWHERE)
                .and(0)
                .and(0)
                .call(XID, GET)
                .and(1, 5));
        assertThat(raw.receive()).as("a Write chunk that is too short").containsExactly(XID, 1, GRANTED, 4, 2);

        raw.send(Words.header(XID, CREDITS, 0)
                .and(0, 0)
                .and(1, 1)
                .and(NOWHERE)
                .call(XID, GET)
                .and(1, 100_000));
        assertThat(raw.receive()).as("a Reply chunk that is too short").containsExactly(XID, 1, GRANTED, 4, 2);

        assertThatTheServerStillAnswers();
    }

    @Test
    void aPeerThatDoesNotLetItsChunkBeReadLosesItsConnectionAndNobodyElseDoes() throws Exception {
        raw.send(Words.header(XID, CREDITS, 0)
                .and(1, 48)
                .and(NOWHERE)
                .and(0, 0, 0)
                .call(XID, PUT)
                .and(1, 4, 0));

        raw.awaitEnd();

        assertThat(peers.client
                        .call(
                                Blobs.PUT,
                                Blobs.Items.of(Payload.of(Blobs.pattern(9000))),
                                List.of(),
                                CallOptions.DEFAULT)
                        .await())
                .isEqualTo(9000);
    }

    private void assertThatTheServerStillAnswers() throws Exception {
        int xid = XID + 1;
        raw.send(Words.header(xid, CREDITS, 0).and(0, 0, 0).call(xid, 0));
        assertThat(raw.receive()).startsWith(xid, 1, GRANTED, 0);
    }
}
