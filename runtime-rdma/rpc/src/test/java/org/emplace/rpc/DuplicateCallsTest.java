// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.emplace.RpcServer;
import org.emplace.rpc.auth.AuthNone;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.ServerAuth;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server does with a call that comes again. */
@Timeout(60)
final class DuplicateCallsTest {
    private static final RpcProgram PROGRAM = new RpcProgram("TOTAL", 0x2000_0002L, 1);
    private static final int XID = 0x1234_5678;

    /** Adds to the total, and gives the new one. */
    private static final int ADD = 1;

    /** The same, when the test says so. */
    private static final int ADD_LATER = 2;

    /** The same, but it is said to be idempotent. */
    private static final int ADD_TWICE = 3;

    /** Adds to the total and fails. */
    private static final int FAIL = 4;

    /** Adds to the total and says that it is not there. */
    private static final int UNAVAILABLE = 5;

    /** Adds to the total, and gives as many words. */
    private static final int FILL = 6;

    /** Adds to the total once it is let go on. */
    private static final int STUCK = 7;

    /** Adds to the total, later, and gives data that cannot be read. */
    private static final int GIVE_UNREADABLE = 8;

    private static final XdrCodec<Integer> INT = new XdrCodec<>(XdrEncoder::writeInt, XdrDecoder::readInt);
    private static final XdrCodec<List<Integer>> INTS = new XdrCodec<>(
            (out, values) -> out.writeArray(values, XdrEncoder::writeInt),
            in -> in.readArray(XdrDecoder.UNBOUNDED, Integer.BYTES, XdrDecoder::readInt));

    private static final XdrCodec<Payload> DATA =
            new XdrCodec<>(XdrEncoder::writePayload, in -> in.readPayload(XdrDecoder.UNBOUNDED));

    private final AtomicInteger total = new AtomicInteger();
    private final Queue<CompletableFuture<Integer>> later = new ConcurrentLinkedQueue<>();
    private final CountDownLatch letGo = new CountDownLatch(1);

    /** With one thread, calls of a connection are looked at in their order. */
    @AutoClose
    private final RpcServer server = builder().threads(1).start();

    DuplicateCallsTest() throws RpcException {}

    @Test
    void aDuplicateOverANewConnectionIsAnsweredWithTheSameBytesAndNotRun() throws Exception {
        int[] reply;
        try (RawTcpPeer lost = peer()) {
            reply = call(lost, XID, ADD, 5);
        }
        try (RawTcpPeer next = peer()) {
            assertThat(call(next, XID, ADD, 5)).isEqualTo(reply).endsWith(0, 5);
            assertThat(call(next, XID, ADD, 5)).isEqualTo(reply);
        }
        assertThat(total).hasValue(5);
    }

    @Test
    void aDuplicateIsAuthenticatedAnewAndItsAnswerHasAVerifierOfItsOwn() throws Exception {
        try (RpcServer checking = authenticating(count -> AuthNone.INSTANCE);
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", checking)) {
            assertThat(call(peer, XID, ADD, 5)).containsExactly(XID, 1, 0, 77, 4, 1, 0, 5);
            assertThat(call(peer, XID, ADD, 5)).containsExactly(XID, 1, 0, 77, 4, 2, 0, 5);
        }
        assertThat(total).hasValue(5);
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
    void theSameCallOfACallerOfAnotherKindIsANewCallWhateverItsName() throws Exception {
        Principal oneKind = () -> "bob";
        Principal anotherKind = () -> "bob";
        try (RpcServer checking = authenticating(count -> count == 1 ? oneKind : anotherKind);
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", checking)) {
            assertThat(call(peer, XID, ADD, 5)).endsWith(0, 5);
            assertThat(call(peer, XID, ADD, 5)).endsWith(0, 10);
        }
    }

    @Test
    void aDuplicateOfARunningCallOverANewConnectionIsAnsweredWhenTheCallEnds() throws Exception {
        try (RawTcpPeer first = peer();
                RawTcpPeer second = peer()) {
            send(first, XID, ADD_LATER, 5);
            await().until(() -> later.size() == 1);
            sendAndAwaitItsTurn(second, XID, ADD_LATER, 5);

            completeLater();
            assertThat(second.receive()).isEqualTo(first.receive()).endsWith(0, 5);
        }
        assertThat(total).hasValue(5);
    }

    @Test
    void aReplyWhoseConnectionHasEndedAnswersTheDuplicate() throws Exception {
        try (RawTcpPeer lost = peer()) {
            send(lost, XID, ADD_LATER, 5);
            await().until(() -> later.size() == 1);
        }
        completeLater();
        try (RawTcpPeer next = peer()) {
            assertThat(call(next, XID, ADD_LATER, 5)).endsWith(0, 5);
        }
        assertThat(total).hasValue(5);
    }

    @Test
    void theLatestOfTheDuplicatesThatWaitIsAnswered() throws Exception {
        try (RawTcpPeer first = peer();
                RawTcpPeer second = peer();
                RawTcpPeer third = peer()) {
            send(first, XID, ADD_LATER, 5);
            await().until(() -> later.size() == 1);
            sendAndAwaitItsTurn(second, XID, ADD_LATER, 5);
            sendAndAwaitItsTurn(third, XID, ADD_LATER, 5);

            completeLater();
            assertThat(third.receive()).endsWith(0, 5);
            assertThat(call(second, XID + 1, ADD, 2)).startsWith(XID + 1).endsWith(0, 7);
        }
    }

    @Test
    void aDuplicateOverTheConnectionOfTheRunningCallIsDroppedAndTakesNothing() throws Exception {
        try (RawTcpPeer peer = peer()) {
            send(peer, XID, ADD_LATER, 5);
            await().until(() -> later.size() == 1);
            for (int i = 0; i < 3 * ConnectionOptions.DEFAULT.credits(); i++) {
                send(peer, XID, ADD_LATER, 5);
            }
            assertThat(call(peer, XID + 1, ADD, 2)).startsWith(XID + 1);

            completeLater();
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
        assertThat(total).hasValue(5);
    }

    @Test
    void aCallThatWasRefusedIsANewOneWhenItComesAgain() throws Exception {
        try (RawTcpPeer peer = peer()) {
            assertThat(call(peer, XID, UNAVAILABLE, 5)).endsWith(3);
            assertThat(call(peer, XID, UNAVAILABLE, 5)).endsWith(3);
            assertThat(call(peer, XID, ADD)).endsWith(4);
            assertThat(call(peer, XID, ADD)).endsWith(4);
        }
        assertThat(total).hasValue(10);
    }

    @Test
    void aCallForWhichThereWasNoPlaceIsANewOneWhenItComesAgain() throws Exception {
        try (RpcServer narrow = builder().threads(1).queue(1).start();
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", narrow)) {
            send(peer, XID, STUCK, 1);
            send(peer, XID + 1, STUCK, 1);
            assertThat(call(peer, XID + 2, ADD, 5)).startsWith(XID + 2).endsWith(5);
            letGo.countDown();
            peer.receive();
            peer.receive();

            assertThat(call(peer, XID + 2, ADD, 5)).endsWith(0, 7);
        }
    }

    @Test
    void aDuplicateForWhichThereIsNoPlaceGetsTheReplyThatWasGiven() throws Exception {
        try (RpcServer narrow = builder().threads(1).queue(1).start();
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", narrow)) {
            int[] reply = call(peer, XID, ADD, 5);
            send(peer, XID + 1, STUCK, 1);
            send(peer, XID + 2, STUCK, 1);
            assertThat(call(peer, XID, ADD, 5)).isEqualTo(reply);
            assertThat(call(peer, XID + 3, ADD, 5)).endsWith(5);
            letGo.countDown();
        }
        await().until(() -> total.get() == 7);
    }

    @Test
    void aDuplicateOfARunningCallForWhichThereIsNoPlaceWaitsForItsReply() throws Exception {
        try (RpcServer narrow = builder().threads(1).queue(1).start();
                RawTcpPeer lost = new RawTcpPeer("127.0.0.1", narrow);
                RawTcpPeer next = new RawTcpPeer("127.0.0.1", narrow)) {
            send(lost, XID, ADD_LATER, 5);
            await().until(() -> later.size() == 1);
            send(lost, XID + 1, STUCK, 1);
            send(lost, XID + 2, STUCK, 1);
            assertThat(call(lost, XID + 3, ADD, 2)).startsWith(XID + 3).endsWith(5);
            send(next, XID, ADD_LATER, 5);
            assertThat(call(next, XID + 4, ADD, 2)).startsWith(XID + 4).endsWith(5);

            completeLater();
            assertThat(next.receive()).startsWith(XID).endsWith(0, 5);
            letGo.countDown();
        }
        await().until(() -> total.get() == 7);
    }

    @Test
    void theOldestRepliesGiveWayWhereThereAreTooMany() throws Exception {
        try (RpcServer two = builder().replyCache(2, 1 << 20).start();
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", two)) {
            call(peer, 1, ADD, 1);
            call(peer, 2, ADD, 1);
            call(peer, 3, ADD, 1);

            assertThat(call(peer, 2, ADD, 1)).endsWith(0, 2);
            assertThat(call(peer, 3, ADD, 1)).endsWith(0, 3);
            assertThat(call(peer, 1, ADD, 1)).as("run again").endsWith(0, 4);
            assertThat(call(peer, 2, ADD, 1)).as("run again").endsWith(0, 5);
        }
    }

    @Test
    void theOldestRepliesGiveWayWhereTheyAreTooLong() throws Exception {
        int keptBytes = 8; // what follows the verifier
        int words = 7;
        try (RpcServer small = builder().replyCache(1000, 256L * keptBytes).start();
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", small)) {
            for (int xid = 1; xid <= 257; xid++) {
                call(peer, xid, ADD, 1);
            }
            assertThat(call(peer, 2, ADD, 1)).endsWith(0, 2);
            assertThat(call(peer, 1, ADD, 1)).as("run again").endsWith(0, 258);
            assertThat(call(peer, XID, FILL, 0)).hasSize(words);
            assertThat(call(peer, XID, FILL, 1)).hasSize(words + 1);
            call(peer, XID, FILL, 1);
            assertThat(total)
                    .as("a reply of more than a 256th of the bytes is not kept")
                    .hasValue(260);
        }
    }

    @Test
    void aServerMayKeepNoReplies() throws Exception {
        try (RpcServer forgetful = builder().threads(1).replyCache(0, 0).start();
                RawTcpPeer first = new RawTcpPeer("127.0.0.1", forgetful);
                RawTcpPeer second = new RawTcpPeer("127.0.0.1", forgetful)) {
            call(first, XID, ADD, 5);
            assertThat(call(first, XID, ADD, 5)).as("run again").endsWith(0, 10);

            send(first, XID, ADD_LATER, 5);
            await().until(() -> later.size() == 1);
            sendAndAwaitItsTurn(second, XID, ADD_LATER, 5);
            completeLater();
            assertThat(second.receive())
                    .as("the duplicate of a call that runs")
                    .isEqualTo(first.receive())
                    .endsWith(0, 15);
        }
    }

    @Test
    void aDuplicateThatWaitsForAReplyThatCannotBeReadIsDropped() throws Exception {
        try (RpcServer narrow = builder()
                        .threads(1)
                        .options(ConnectionOptions.DEFAULT.withCredits(2))
                        .start();
                RawTcpPeer first = new RawTcpPeer("127.0.0.1", narrow);
                RawTcpPeer second = new RawTcpPeer("127.0.0.1", narrow)) {
            send(first, XID, GIVE_UNREADABLE, 5);
            await().until(() -> later.size() == 1);
            sendAndAwaitItsTurn(second, XID, GIVE_UNREADABLE, 5);
            completeLater();

            send(second, XID + 1, ADD_LATER, 1);
            send(second, XID + 2, ADD_LATER, 1);
            await().untilAsserted(() -> assertThat(later).as("two calls, for which there are two credits").hasSize(2));
            completeLater();
            assertThat(second.receive()).startsWith(XID + 1).endsWith(0, 6);
        }
    }

    /** A server whose n-th call comes from the n-th caller, and whose n-th reply has n for a verifier. */
    private RpcServer authenticating(IntFunction<Principal> callers) throws RpcException {
        AtomicInteger checked = new AtomicInteger();
        ServerAuth counting = new ServerAuth() {
            @Override
            public int flavor() {
                return AuthNone.FLAVOR;
            }

            @Override
            public Exchange accept(OpaqueAuth credential, OpaqueAuth verifier, Supplier<ByteBuffer> header) {
                int count = checked.incrementAndGet();
                return new Exchange() {
                    @Override
                    public Principal caller() {
                        return callers.apply(count);
                    }

                    @Override
                    public OpaqueAuth replyVerifier() {
                        return new OpaqueAuth(77, XdrOpaque.of((byte) 0, (byte) 0, (byte) 0, (byte) count));
                    }
                };
            }
        };
        return RpcServer.builder()
                .service(service().authenticatedBy(counting))
                .listen(TcpLoopback.ANY_PORT)
                .start();
    }

    private RpcServer.Builder builder() {
        return RpcServer.builder().service(service()).listen(TcpLoopback.ANY_PORT);
    }

    private RpcService service() {
        return RpcService.builder(PROGRAM)
                .answer(procedure(ADD, INT, false), (value, call) -> total.addAndGet(value))
                .answerLater(procedure(ADD_LATER, INT, false), (value, call) -> {
                    CompletableFuture<Integer> added = new CompletableFuture<>();
                    later.add(added);
                    return added.thenApply(any -> total.addAndGet(value));
                })
                .answerLater(procedure(GIVE_UNREADABLE, DATA, false), (value, call) -> {
                    CompletableFuture<Integer> added = new CompletableFuture<>();
                    later.add(added);
                    return added.thenApply(any -> {
                        total.addAndGet(value);
                        return new Unreadable();
                    });
                })
                .answer(procedure(ADD_TWICE, INT, true), (value, call) -> total.addAndGet(value))
                .answer(procedure(FAIL, INT, false), (value, call) -> {
                    total.addAndGet(value);
                    throw new IllegalStateException("as the test wants it");
                })
                .answer(procedure(UNAVAILABLE, INT, false), (value, call) -> {
                    total.addAndGet(value);
                    throw new ProcedureUnavailableException();
                })
                .answer(procedure(FILL, INTS, false), (value, call) -> {
                    total.addAndGet(value);
                    return Collections.nCopies(value, 0);
                })
                .answer(procedure(STUCK, INT, false), (value, call) -> {
                    letGo.await();
                    return total.addAndGet(value);
                })
                .build();
    }

    private static <R> Procedure<Integer, R> procedure(int number, XdrCodec<R> results, boolean idempotent) {
        return new Procedure<>(
                PROGRAM,
                number,
                "PROCEDURE" + number,
                INT,
                results,
                ProcedureBinding.nothingEligible(args -> ProcedureBinding.UNBOUNDED, idempotent));
    }

    private RawTcpPeer peer() throws Exception {
        return new RawTcpPeer("127.0.0.1", server);
    }

    private static void send(RawTcpPeer peer, int xid, int procedure, int... arguments) throws Exception {
        peer.send(xid, PROGRAM.number(), PROGRAM.version(), procedure, arguments);
    }

    private static int[] call(RawTcpPeer peer, int xid, int procedure, int... arguments) throws Exception {
        send(peer, xid, procedure, arguments);
        return peer.receive();
    }

    /** Sends a call that gets no answer yet. The next one's answer tells that it has been looked at. */
    private static void sendAndAwaitItsTurn(RawTcpPeer peer, int xid, int procedure, int argument) throws Exception {
        send(peer, xid, procedure, argument);
        call(peer, ~xid, ADD_TWICE, 0);
    }

    private void completeLater() {
        later.remove().complete(0);
    }

    /** As data in the memory of a peer that is gone. */
    private static final class Unreadable implements Payload {
        @Override
        public long length() {
            return 4;
        }

        @Override
        public ByteBuffer buffer() throws IOException {
            throw new IOException("as the test wants it");
        }

        @Override
        public CompletionStage<Void> fetchInto(ByteBuffer sink) {
            return CompletableFuture.failedFuture(new IOException("as the test wants it"));
        }
    }
}
