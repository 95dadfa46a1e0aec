// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.emplace.rpc.TotalProgram.ADD;
import static org.emplace.rpc.TotalProgram.ADD_LATER;
import static org.emplace.rpc.TotalProgram.ADD_TWICE;
import static org.emplace.rpc.TotalProgram.FAIL;
import static org.emplace.rpc.TotalProgram.FILL;
import static org.emplace.rpc.TotalProgram.STUCK;
import static org.emplace.rpc.TotalProgram.UNAVAILABLE;
import static org.emplace.rpc.TotalProgram.call;
import static org.emplace.rpc.TotalProgram.send;
import static org.emplace.rpc.TotalProgram.sendAndAwaitItsTurn;

import java.security.Principal;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.emplace.RpcServer;
import org.emplace.rpc.auth.AuthNone;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.ServerAuth;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a server answers duplicate calls. */
@Timeout(60)
final class DuplicateCallsTest {
    private static final int XID = 0x1234_5678;

    private final TotalProgram program = new TotalProgram();

    /** With one thread, the calls of a connection are handled in order. */
    @AutoClose
    private final RpcServer server = program.builder().threads(1).start();

    DuplicateCallsTest() throws RpcException {}

    @Test
    void aDuplicateOverANewConnectionGetsTheSameReplyWithoutBeingRun() throws Exception {
        int[] reply;
        try (RawTcpPeer lost = peer()) {
            reply = call(lost, XID, ADD, 5);
        }
        try (RawTcpPeer next = peer()) {
            assertThat(call(next, XID, ADD, 5)).isEqualTo(reply).endsWith(0, 5);
            assertThat(call(next, XID, ADD, 5)).isEqualTo(reply);
        }
        assertThat(program.total).hasValue(5);
    }

    @Test
    void aDuplicateIsAuthenticatedAgainAndItsReplyHasItsOwnVerifier() throws Exception {
        try (RpcServer checking = authenticating(count -> AuthNone.INSTANCE);
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", checking)) {
            assertThat(call(peer, XID, ADD, 5)).containsExactly(XID, 1, 0, 77, 4, 1, 0, 5);
            assertThat(call(peer, XID, ADD, 5)).containsExactly(XID, 1, 0, 77, 4, 2, 0, 5);
        }
        assertThat(program.total).hasValue(5);
    }

    @Test
    void theSameCallOfAnotherCallerIsANewCall() throws Exception {
        try (RpcServer checking = authenticating(count -> () -> "caller " + count);
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", checking)) {
            assertThat(call(peer, XID, ADD, 5)).endsWith(0, 5);
            assertThat(call(peer, XID, ADD, 5)).endsWith(0, 10);
        }
    }

    @Test
    void theSameCallOfACallerOfAnotherClassIsANewCall() throws Exception {
        Principal oneKind = () -> "bob";
        Principal anotherKind = () -> "bob";
        try (RpcServer checking = authenticating(count -> count == 1 ? oneKind : anotherKind);
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", checking)) {
            assertThat(call(peer, XID, ADD, 5)).endsWith(0, 5);
            assertThat(call(peer, XID, ADD, 5)).endsWith(0, 10);
        }
    }

    @Test
    void theSameCallOfTheSameUserWithOtherGroupsIsANewCall() throws Exception {
        try (RpcServer checking = authenticating(count -> new AuthSys(
                        count, XdrString.of("client" + count), 1000, 100, XdrUnsignedInts.of(count <= 2 ? 4 : 5)));
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", checking)) {
            assertThat(call(peer, XID, ADD, 5)).endsWith(0, 5);
            assertThat(call(peer, XID, ADD, 5)).endsWith(0, 5);
            assertThat(call(peer, XID, ADD, 5)).endsWith(0, 10);
        }
    }

    @Test
    void aDuplicateOfARunningCallOverANewConnectionWaitsForItsReply() throws Exception {
        try (RawTcpPeer first = peer();
                RawTcpPeer second = peer()) {
            send(first, XID, ADD_LATER, 5);
            await().until(() -> program.later.size() == 1);
            sendAndAwaitItsTurn(second, XID, ADD_LATER, 5);

            program.completeLater();
            assertThat(second.receive()).isEqualTo(first.receive()).endsWith(0, 5);
        }
        assertThat(program.total).hasValue(5);
    }

    @Test
    void aReplyWhoseConnectionHasEndedAnswersTheDuplicate() throws Exception {
        try (RawTcpPeer lost = peer()) {
            send(lost, XID, ADD_LATER, 5);
            await().until(() -> program.later.size() == 1);
        }
        program.completeLater();
        try (RawTcpPeer next = peer()) {
            assertThat(call(next, XID, ADD_LATER, 5)).endsWith(0, 5);
        }
        assertThat(program.total).hasValue(5);
    }

    @Test
    void onlyTheLatestWaitingDuplicateIsAnswered() throws Exception {
        try (RawTcpPeer first = peer();
                RawTcpPeer second = peer();
                RawTcpPeer third = peer()) {
            send(first, XID, ADD_LATER, 5);
            await().until(() -> program.later.size() == 1);
            sendAndAwaitItsTurn(second, XID, ADD_LATER, 5);
            sendAndAwaitItsTurn(third, XID, ADD_LATER, 5);

            program.completeLater();
            assertThat(third.receive()).endsWith(0, 5);
            assertThat(call(second, XID + 1, ADD, 2)).startsWith(XID + 1).endsWith(0, 7);
        }
    }

    @Test
    void aDuplicateOverTheConnectionOfTheRunningCallIsDropped() throws Exception {
        try (RawTcpPeer peer = peer()) {
            send(peer, XID, ADD_LATER, 5);
            await().until(() -> program.later.size() == 1);
            for (int i = 0; i < 3 * ConnectionOptions.DEFAULT.credits(); i++) {
                send(peer, XID, ADD_LATER, 5);
            }
            assertThat(call(peer, XID + 1, ADD, 2)).startsWith(XID + 1);

            program.completeLater();
            assertThat(peer.receive()).startsWith(XID);
            assertThat(call(peer, XID + 2, ADD, 1)).startsWith(XID + 2).endsWith(0, 8);
        }
    }

    @Test
    void theSameXidWithOtherBytesIsANewCall() throws Exception {
        try (RawTcpPeer peer = peer()) {
            call(peer, XID, ADD, 5);
            assertThat(call(peer, XID, ADD, 2)).endsWith(0, 7);
            assertThat(call(peer, XID, FILL, 2)).endsWith(0, 0);
            assertThat(call(peer, XID + 1, ADD, 5)).endsWith(0, 14);
        }
    }

    @Test
    void theSameCallFromAnotherAddressIsANewCall() throws Exception {
        try (RawTcpPeer one = peer();
                RawTcpPeer other = new RawTcpPeer("127.0.0.2", server)) {
            call(one, XID, ADD, 5);
            assertThat(call(other, XID, ADD, 5)).endsWith(0, 10);
        }
    }

    @Test
    void anIdempotentCallIsRunAgain() throws Exception {
        try (RawTcpPeer peer = peer()) {
            call(peer, XID, ADD_TWICE, 5);
            assertThat(call(peer, XID, ADD_TWICE, 5)).endsWith(0, 10);
        }
    }

    @Test
    void aCallThatFailedIsNotRunAgain() throws Exception {
        try (RawTcpPeer peer = peer()) {
            int[] reply = call(peer, XID, FAIL, 5);
            assertThat(call(peer, XID, FAIL, 5)).isEqualTo(reply).endsWith(5);
        }
        assertThat(program.total).hasValue(5);
    }

    @Test
    void aRejectedCallIsANewCallWhenItIsResent() throws Exception {
        try (RawTcpPeer peer = peer()) {
            assertThat(call(peer, XID, UNAVAILABLE, 5)).endsWith(3);
            assertThat(call(peer, XID, UNAVAILABLE, 5)).endsWith(3);
            assertThat(call(peer, XID, ADD)).endsWith(4);
            assertThat(call(peer, XID, ADD)).endsWith(4);
        }
        assertThat(program.total).hasValue(10);
    }

    @Test
    void aCallThatWaitsForAThreadWhenItsConnectionEndsRunsOnceWhenItIsResent() throws Exception {
        try (RawTcpPeer next = peer()) {
            send(next, XID + 1, STUCK, 1);
            await().until(() -> server.load().callsRunning() == 1);
            try (RawTcpPeer lost = peer()) {
                send(lost, XID, ADD, 5);
                await().until(() -> server.load().callsWaiting() == 1);
            }
            await().until(() -> server.load().callsWaiting() == 0);
            send(next, XID, ADD, 5);
            program.letGo.countDown();

            assertThat(next.receive()).startsWith(XID + 1);
            assertThat(next.receive()).startsWith(XID).endsWith(0, 6);
        }
        assertThat(program.total).hasValue(6);
    }

    @Test
    void aDuplicateThatWaitsForAThreadGetsTheCachedReply() throws Exception {
        try (RawTcpPeer peer = peer()) {
            int[] reply = call(peer, XID, ADD, 5);
            send(peer, XID + 1, STUCK, 1);
            send(peer, XID, ADD, 5);
            await().until(() -> server.load().callsWaiting() == 1);
            program.letGo.countDown();

            assertThat(peer.receive()).startsWith(XID + 1);
            assertThat(peer.receive()).isEqualTo(reply);
        }
        assertThat(program.total).hasValue(6);
    }

    @Test
    void aDuplicateOfARunningCallThatWaitsForAThreadGetsItsReply() throws Exception {
        try (RawTcpPeer lost = peer();
                RawTcpPeer next = peer()) {
            send(lost, XID, ADD_LATER, 5);
            await().until(() -> program.later.size() == 1);
            send(lost, XID + 1, STUCK, 1);
            await().until(() -> server.load().callsRunning() == 1);
            send(next, XID, ADD_LATER, 5);
            await().until(() -> server.load().callsWaiting() == 1);
            program.letGo.countDown();
            await().until(() -> server.load().callsWaiting() == 0);

            program.completeLater();
            assertThat(next.receive()).startsWith(XID).endsWith(0, 6);
        }
        assertThat(program.total).hasValue(6);
    }

    /** A server whose n-th call comes from the n-th caller, and whose n-th reply has n for a verifier. */
    private RpcServer authenticating(IntFunction<Principal> callers) throws RpcException {
        AtomicInteger checked = new AtomicInteger();
        ServerAuth counting = new RawFlavor(AuthNone.FLAVOR, () -> {
            int count = checked.incrementAndGet();
            return new ServerAuth.Exchange() {
                @Override
                public Principal caller() {
                    return callers.apply(count);
                }

                @Override
                public OpaqueAuth replyVerifier() {
                    return new OpaqueAuth(77, XdrOpaque.of((byte) 0, (byte) 0, (byte) 0, (byte) count));
                }
            };
        });
        return Loopback.builder(program.service().withFlavors(counting)).start();
    }

    private RawTcpPeer peer() throws Exception {
        return new RawTcpPeer("127.0.0.1", server);
    }
}
