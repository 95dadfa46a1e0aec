// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rdma.iwarp.RawPeerSession.offset;
import static org.emplace.rdma.iwarp.RawPeerSession.stag;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.Right;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Granting and revoking access, and the fence. */
final class RemoteAccessTest {
    private static final String SEND = "4143 00000000 00000000 00000001 00000000";

    @AutoClose
    private final RawPeerSession session = RawPeerSession.established();

    RemoteAccessTest() throws Exception {}

    @Test
    void accessEndsWhenItIsRevoked() throws Exception {
        RemoteAccess access = session.expose(8, Right.REMOTE_WRITE);
        session.peer.sendFpdu("c140" + stag(access) + offset(access, 4) + "01020304");
        session.peer.sendFpdu(SEND);
        assertThat(session.handler.next().id()).isZero();
        assertThat(session.memory.buffer().getInt(4)).isEqualTo(0x01020304);

        await(access.revoke().toCompletableFuture());
        session.peer.sendFpdu("c140" + stag(access) + offset(access, 0) + "05060708");
        assertThat(session.peer.receiveTerminate()).isEqualTo("1100");
        assertThat(session.memory.buffer().getInt(0)).isZero();
    }

    @Test
    void aFenceWaitsForThePlacementUnderWay() throws Exception {
        RemoteAccess access = session.expose(8, Right.REMOTE_WRITE);
        byte[] rest = beginToWriteInto(access);

        CompletableFuture<Void> fence = access.revoke().toCompletableFuture();
        session.expose(1, Right.REMOTE_READ).revoke().toCompletableFuture().get(20, TimeUnit.SECONDS);
        assertThat(fence).isNotDone();

        session.peer.send(rest);
        await(fence);
        assertThat(session.memory.buffer().getInt(4)).isEqualTo(0x05060708);
        assertThat(session.handler.hasEnded()).isFalse();
    }

    @Test
    void aPlacementThatDoesNotEndInTimeCostsTheConnection() throws Exception {
        RemoteAccess access = session.expose(8, Right.REMOTE_WRITE);
        beginToWriteInto(access);

        await(access.revoke().toCompletableFuture());
        assertThat(session.handler.end()).map(RdmaException::reason).contains(Reason.TIMED_OUT);
        assertThat(session.memory.buffer().getInt(4)).isZero();
    }

    @Test
    void aFenceWaitsForTheReadResponseUnderWay() throws Exception {
        int length = 16 << 20;
        RemoteAccess access = session.queuePair()
                .expose(
                        session.provider
                                .register(ByteBuffer.allocateDirect(length))
                                .segment(0, length),
                        Right.REMOTE_READ);
        session.peer.sendFpdu("4141 00000000 00000001 00000001 00000000" + "00000001 0000000000000000"
                + String.format("%08x", length) + stag(access) + offset(access, 0));
        byte[] first = session.peer.receiveFpdu();

        CompletableFuture<Void> fence = access.revoke().toCompletableFuture();
        assertThat(fence).isNotDone();
        int received = first.length - 14;
        while (received < length) {
            received += session.peer.receiveFpdu().length - 14;
        }
        await(fence);
        assertThat(session.handler.hasEnded()).isFalse();
    }

    @Test
    void accessEndsWithItsRegion() throws Exception {
        RemoteAccess access = session.expose(8, Right.REMOTE_WRITE);
        session.memory.close();
        session.peer.sendFpdu("c140" + stag(access) + offset(access, 0) + "05060708");
        assertThat(session.peer.receiveTerminate()).isEqualTo("1100");
        await(access.revoke().toCompletableFuture());
    }

    @Test
    void anInvalidationThatCrossesARevokeIsNoFault() throws Exception {
        RemoteAccess access = session.expose(8, Right.REMOTE_WRITE);
        await(access.revoke().toCompletableFuture());
        session.peer.sendFpdu("4146" + stag(access) + "00000000 00000001 00000000");
        assertThat(session.handler.next().invalidatedStag())
                .hasValue(access.advertised().stag());
    }

    @Test
    void anStagIsValidOnlyOnItsOwnConnection() throws Exception {
        try (RawPeerSession other = RawPeerSession.established()) {
            RemoteAccess access = session.expose(8, Right.REMOTE_WRITE);
            other.peer.sendFpdu("c140" + stag(access) + offset(access, 0) + "01");
            assertThat(other.peer.receiveTerminate()).isEqualTo("1100");
        }
    }

    @Test
    void stagsAndOffsetsCannotBeGuessedFromEarlierOnes() throws Exception {
        Set<Long> distances = new HashSet<>();
        RemoteAccess last = session.expose(8, Right.REMOTE_WRITE);
        for (int i = 0; i < 100; i++) {
            RemoteAccess next = session.expose(8, Right.REMOTE_WRITE);
            distances.add((long) next.advertised().stag() - last.advertised().stag());
            distances.add(next.advertised().offset() - last.advertised().offset());
            last = next;
        }
        assertThat(distances).hasSizeGreaterThan(190);
    }

    /** Writes four bytes of eight. Returns the rest of the FPDU, with the others. */
    private byte[] beginToWriteInto(RemoteAccess access) throws Exception {
        byte[] fpdu = RawPeer.fpdu(RawPeer.hex("c140" + stag(access) + offset(access, 0) + "0102030405060708"));
        session.peer.send(Arrays.copyOf(fpdu, 20));
        Awaitility.await().until(() -> session.memory.buffer().getInt(0) == 0x01020304);
        return Arrays.copyOfRange(fpdu, 20, fpdu.length);
    }

    private static void await(CompletableFuture<Void> fence) throws Exception {
        fence.get(20, TimeUnit.SECONDS);
    }
}
