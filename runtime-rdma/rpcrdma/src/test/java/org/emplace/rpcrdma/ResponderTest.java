// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpcrdma.ServerOfRawPeer.CREDITS;
import static org.emplace.rpcrdma.ServerOfRawPeer.GET;
import static org.emplace.rpcrdma.ServerOfRawPeer.GRANTED;
import static org.emplace.rpcrdma.ServerOfRawPeer.NOWHERE;
import static org.emplace.rpcrdma.ServerOfRawPeer.PUT;
import static org.emplace.rpcrdma.ServerOfRawPeer.XID;
import static org.emplace.rpcrdma.Words.used;

import java.nio.ByteBuffer;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rpc.ConnectionOptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a server does with headers that other implementations send; for broken ones see {@link BrokenCallsTest}. */
final class ResponderTest {
    @AutoClose
    private final ServerOfRawPeer server = new ServerOfRawPeer(ConnectionOptions.DEFAULT);

    private final RawPeer raw = server.raw;

    @Test
    void aShortCallIsAnsweredWithTheCreditsGranted() throws Exception {
        raw.send(Words.withoutChunks(XID, CREDITS).call(XID, 0));

        raw.assertReceives(Words.withoutChunks(XID, GRANTED).reply(XID));
    }

    @Test
    void aReadAsLinuxSendsItReturnsAllSegmentsOfItsWriteChunk() throws Exception {
        ByteBuffer data = ByteBuffer.allocateDirect(5001);
        RemoteSegment data0 = raw.expose(data.slice(0, 4096), Right.REMOTE_WRITE);
        RemoteSegment data1 = raw.expose(data.slice(4096, 905), Right.REMOTE_WRITE);
        RemoteSegment pad = raw.expose(ByteBuffer.allocateDirect(4), Right.REMOTE_WRITE);
        raw.send(Words.header(XID, CREDITS, 0)
                .and(0)
                .and(1, 3)
                .and(data0)
                .and(data1)
                .and(pad)
                .and(0, 0)
                .call(XID, GET)
                .and(1, 5001));

        raw.assertReceives(Words.header(XID, GRANTED, 0)
                .and(0)
                .and(1, 3)
                .and(data0)
                .and(data1)
                .and(used(pad, 0))
                .and(0, 0)
                .reply(XID)
                .and(1, 5001, 1));
        assertThat(data).isEqualTo(Blobs.pattern(5001));
    }

    @Test
    void aResultWhoseWriteChunkHasNoSegmentsComesInline() throws Exception {
        ByteBuffer first = ByteBuffer.allocateDirect(100);
        ByteBuffer third = ByteBuffer.allocateDirect(100);
        RemoteSegment firstChunk = raw.expose(first, Right.REMOTE_WRITE);
        RemoteSegment thirdChunk = raw.expose(third, Right.REMOTE_WRITE);
        raw.send(Words.header(XID, CREDITS, 0)
                .and(0)
                .chunk(firstChunk)
                .and(1, 0)
                .chunk(thirdChunk)
                .and(0, 0)
                .call(XID, GET)
                .and(3, 5, 4, 7));

        raw.assertReceives(Words.header(XID, GRANTED, 0)
                .and(0)
                .chunk(used(firstChunk, 5))
                .and(1, 0)
                .chunk(used(thirdChunk, 7))
                .and(0, 0)
                .reply(XID)
                .and(3, 5, 4, Blobs.pattern(4).getInt(0), 7, 3));
        assertThat(first.slice(0, 5)).isEqualTo(Blobs.pattern(5));
        assertThat(third.slice(0, 7)).isEqualTo(Blobs.pattern(7));
    }

    @Test
    void resultsBeyondTheWriteChunksComeInline() throws Exception {
        ByteBuffer first = ByteBuffer.allocateDirect(100);
        RemoteSegment chunk = raw.expose(first, Right.REMOTE_WRITE);
        raw.send(Words.header(XID, CREDITS, 0)
                .and(0)
                .chunk(chunk)
                .and(0, 0)
                .call(XID, GET)
                .and(3, 5, 4, 8));

        ByteBuffer third = Blobs.pattern(8);
        raw.assertReceives(Words.header(XID, GRANTED, 0)
                .and(0)
                .chunk(used(chunk, 5))
                .and(0, 0)
                .reply(XID)
                .and(3, 5, 4, Blobs.pattern(4).getInt(0), 8, third.getInt(0), third.getInt(4), 3));
        assertThat(first.slice(0, 5)).isEqualTo(Blobs.pattern(5));
    }

    @Test
    void aReplyToAPeerWithoutPrivateDataHas1024BytesAtMost() throws Exception {
        int fitting = 1024 - 28 - 24 - 12;
        try (RawPeer plain = RawPeer.connectedTo(server.peers.address(), new byte[0])) {
            plain.send(get(fitting));
            assertThat(plain.receive()).hasSize(1024 / 4).startsWith(XID, 1, GRANTED, 0);

            plain.send(get(fitting + 1));
            assertThat(plain.receive()).as("ERR_CHUNK").containsExactly(XID, 1, GRANTED, 4, 2);
        }
    }

    @Test
    void privateDataMayStandAmongThoseOfOthers() throws Exception {
        byte[] privateData = new byte[20];
        System.arraycopy(RawPeer.privateData(true), 0, privateData, 8, 8);
        try (RawPeer behindOthers = RawPeer.connectedTo(server.peers.address(), privateData)) {
            behindOthers.send(get(4096 - 28 - 24 - 12));
            assertThat(behindOthers.receive()).hasSize(4096 / 4);
            behindOthers.invalidated();

            RemoteSegment chunk = behindOthers.expose(ByteBuffer.allocateDirect(100), Right.REMOTE_WRITE);
            behindOthers.send(Words.header(XID, CREDITS, 0)
                    .and(0)
                    .chunk(chunk)
                    .and(0, 0)
                    .call(XID, GET)
                    .and(1, 60));
            assertThat(behindOthers.invalidated()).hasValue(chunk.stag());
        }
    }

    /** One item, wanted inline. */
    private static Words get(int length) {
        return Words.withoutChunks(XID, CREDITS).call(XID, GET).and(1, length);
    }

    @Test
    void aReplyChunkIsUsedHoweverSmallTheReply() throws Exception {
        ByteBuffer reply = ByteBuffer.allocateDirect(1000);
        RemoteSegment first = raw.expose(reply.slice(0, 20), Right.REMOTE_WRITE);
        RemoteSegment second = raw.expose(reply.slice(20, 980), Right.REMOTE_WRITE);
        raw.send(Words.header(XID, CREDITS, 0)
                .and(0, 0)
                .and(1, 2)
                .and(first)
                .and(second)
                .call(XID, 4)
                .and(3, 0x61626300));

        raw.assertReceives(
                Words.header(XID, GRANTED, 1).and(0, 0).and(1, 2).and(first).and(used(second, 12)));
        assertThat(Words.of(reply.slice(0, 32)))
                .containsExactly(
                        Words.of(new Words().reply(XID).and(3, 0x61626300).bytes()));
    }

    @Test
    void everyWriteChunkComesBackInAnRpcErrorToo() throws Exception {
        RemoteSegment chunk = raw.expose(ByteBuffer.allocateDirect(100), Right.REMOTE_WRITE);
        raw.send(Words.header(XID, CREDITS, 0)
                .and(0)
                .chunk(chunk)
                .and(1, 2)
                .and(NOWHERE)
                .and(NOWHERE)
                .and(0, 0)
                .call(XID, 99));

        raw.assertReceives(Words.header(XID, GRANTED, 0)
                .and(0)
                .chunk(used(chunk, 0))
                .and(1, 2)
                .and(used(NOWHERE, 0))
                .and(used(NOWHERE, 0))
                .and(0, 0)
                .and(XID, 1, 0, 0, 0, 3));
    }

    @Test
    void readSegmentsMayComeUnsortedInPiecesAndRoundedUp() throws Exception {
        RemoteSegment early = raw.expose(padded(4001), Right.REMOTE_READ);
        ByteBuffer late = padded(6002);
        RemoteSegment late0 = raw.expose(late.slice(0, 1234), Right.REMOTE_READ);
        RemoteSegment late1 = raw.expose(late.slice(1234, 6004 - 1234), Right.REMOTE_READ);
        int earlyAt = 40 + 4 + 4;
        int lateAt = earlyAt + 4004 + 4;
        raw.send(Words.header(XID, CREDITS, 0)
                .read(lateAt, late0)
                .read(earlyAt, early)
                .read(lateAt, late1)
                .and(0, 0, 0)
                .call(XID, PUT)
                .and(2, 4001, 6002, 77));

        raw.assertReceives(Words.withoutChunks(XID, GRANTED).reply(XID).and(4001 + 6002));
    }

    @Test
    void aPositionZeroChunkInPiecesMayBeMixedWithOtherReadChunks() throws Exception {
        ByteBuffer message = new Words().call(XID, PUT).and(2, 5, 3003, 9).bytes();
        message = ByteBuffer.allocateDirect(message.capacity() + 8)
                .put(message.slice(0, 48))
                .put(Blobs.pattern(5))
                .putInt(56, 3003)
                .putInt(60, 9)
                .clear();
        RemoteSegment head = raw.expose(message.slice(0, 50), Right.REMOTE_READ);
        RemoteSegment tail = raw.expose(message.slice(50, message.capacity() - 50), Right.REMOTE_READ);
        RemoteSegment item = raw.expose(Blobs.pattern(3003), Right.REMOTE_READ);
        raw.send(Words.header(XID, CREDITS, 1)
                .read(0, head)
                .read(60, item)
                .read(0, tail)
                .and(0, 0, 0));

        raw.assertReceives(Words.withoutChunks(XID, GRANTED).reply(XID).and(5 + 3003));
    }

    @Test
    void aReadChunkOfNoBytesIsAnEmptyArgument() throws Exception {
        raw.send(Words.header(XID, CREDITS, 0)
                .read(48, used(NOWHERE, 0))
                .and(0, 0, 0)
                .call(XID, PUT)
                .and(1, 0, 1));

        raw.assertReceives(Words.withoutChunks(XID, GRANTED).reply(XID).and(0));
    }

    @Test
    void anRdmaMsgpIsTreatedAsAnRdmaMsg() throws Exception {
        raw.send(Words.header(XID, CREDITS, 2).and(4096, 512).and(0, 0, 0).call(XID, 0));

        assertThat(raw.receive()).startsWith(XID, 1, GRANTED, 0);
    }

    @Test
    void aReplyChunkThatIsTooShortComesBackUnusedWhereTheReplyFitsInline() throws Exception {
        raw.send(Words.header(XID, CREDITS, 0).and(0, 0).chunk(NOWHERE).call(XID, 0));

        raw.assertReceives(
                Words.header(XID, GRANTED, 0).and(0, 0).chunk(used(NOWHERE, 0)).reply(XID));
    }

    @Test
    void theOneStagOfACallIsInvalidatedByItsReplyWhereTheRequesterOffersThat() throws Exception {
        try (RawPeer offering = server.anotherClient(true)) {
            RemoteSegment one = offering.expose(ByteBuffer.allocateDirect(100), Right.REMOTE_WRITE);
            RemoteSegment other = offering.expose(ByteBuffer.allocateDirect(100), Right.REMOTE_WRITE);

            offering.send(Words.header(XID, CREDITS, 0)
                    .and(0)
                    .and(1, 2)
                    .and(used(one, 50))
                    .and(used(one, 20))
                    .and(0, 0)
                    .call(XID, GET)
                    .and(1, 60));
            assertThat(offering.invalidated()).hasValue(one.stag());

            offering.send(Words.header(XID, CREDITS, 0)
                    .and(0)
                    .chunk(other)
                    .chunk(NOWHERE)
                    .and(0, 0)
                    .call(XID, GET)
                    .and(1, 60));
            assertThat(offering.invalidated()).as("two STags").isEmpty();
        }
        RemoteSegment one = raw.expose(ByteBuffer.allocateDirect(100), Right.REMOTE_WRITE);
        raw.send(Words.header(XID, CREDITS, 0)
                .and(0)
                .chunk(one)
                .and(0, 0)
                .call(XID, GET)
                .and(1, 60));
        assertThat(raw.invalidated()).as("not offered").isEmpty();
    }

    /** A {@link Blobs#pattern} with XDR padding. */
    private static ByteBuffer padded(int length) {
        ByteBuffer bytes = ByteBuffer.allocateDirect((length + 3) / 4 * 4).put(Blobs.pattern(length));
        while (bytes.hasRemaining()) {
            bytes.put((byte) 0x55);
        }
        return bytes.flip();
    }
}
