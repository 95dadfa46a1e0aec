// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.emplace.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client over TCP that makes more calls than its credits. */
@Timeout(60)
final class TcpCreditsTest {
    private static final int CREDITS = 4;
    private static final int CALL = 1;
    private static final int REPLY = 1;
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.DEFAULT.withCredits(CREDITS).withMaxMessage(256 * 1024);

    private final CountDownLatch release = new CountDownLatch(1);

    /** Answers positive numbers when the test allows it. Negative ones are answered with what the client answers to a call of its own. */
    private final RpcService service = EchoProgram.service((value, call) -> {
        release.await();
        if (value > 0) {
            return CompletableFuture.completedFuture(value);
        }
        call.connection().enableBackwardCalls();
        return call.connection()
                .call(EchoProgram.ECHO, value, Destinations.none(), Loopback.OPTIONS)
                .completion();
    });

    @Test
    void furtherCallsAreServedWhenEarlierOnesHaveBeenAnswered() throws Exception {
        int calls = 20_000;
        try (RpcServer server = server();
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", server)) {
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> sendEchos(peer, calls));
            await().until(() -> inProgress(server) == CREDITS);
            assertThat(inProgress(server)).isEqualTo(CREDITS);

            release.countDown();
            Set<Integer> answered = new HashSet<>();
            for (int i = 0; i < calls; i++) {
                int[] reply = peer.receive();
                assertThat(reply).containsExactly(reply[0], 1, 0, 0, 0, 0, reply[0]);
                answered.add(reply[0]);
            }
            assertThat(answered).hasSize(calls);
            sent.join();
        }
    }

    @Test
    void furtherCallsAreServedWhileEarlierOnesHang() throws Exception {
        int calls = 1000;
        try (RpcServer server = Loopback.builder(hanging()).options(OPTIONS).start();
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", server)) {
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                for (int i = 1; i < CREDITS; i++) {
                    send(peer, -i);
                }
                sendEchos(peer, calls);
            });
            for (int i = 1; i <= calls; i++) {
                assertThat(peer.receive()[0]).isPositive();
            }
            release.countDown();
            for (int i = 1; i < CREDITS; i++) {
                assertThat(peer.receive()[0]).isNegative();
            }
            sent.join();
        }
    }

    @Test
    void callsThatWaitForThreadsOfOthersAreServedWhenTheseAreFree() throws Exception {
        int calls = 1000;
        try (RpcServer server =
                        Loopback.builder(hanging()).options(OPTIONS).threads(1).start();
                RawTcpPeer first = new RawTcpPeer("127.0.0.1", server);
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", server)) {
            send(first, -1);
            await().until(() -> server.load().callsRunning() == 1);
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> sendEchos(peer, calls));
            await().until(() -> server.load().callsWaiting() == CREDITS);

            release.countDown();

            for (int i = 1; i <= calls; i++) {
                assertThat(peer.receive()[0]).isPositive();
            }
            assertThat(first.receive()[0]).isEqualTo(-1);
            sent.join();
        }
    }

    /** A single credit that is free is enough for a call that no thread has to answer. */
    @Test
    void aNullIsAnsweredWhileAllThreadsHangAndOtherCallsWait() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        RpcService service = EchoProgram.service((value, call) -> {
            (value == -1 ? first : release).await();
            return CompletableFuture.completedFuture(value);
        });
        int credits = 16;
        try (RpcServer server = Loopback.builder(service)
                        .options(OPTIONS.withCredits(credits))
                        .threads(1)
                        .start();
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", server)) {
            for (int i = 1; i <= credits; i++) {
                send(peer, -i);
            }
            await().until(() -> server.load().callsWaiting() == credits - 1);
            peer.send(1, EchoProgram.PROGRAM.number(), EchoProgram.PROGRAM.version(), 0);

            first.countDown();

            assertThat(List.of(peer.receive()[0], peer.receive()[0])).containsExactlyInAnyOrder(-1, 1);
            release.countDown();
        }
    }

    /** Answers negative numbers when the test allows it, and others at once. */
    private RpcService hanging() {
        return EchoProgram.service((value, call) -> {
            if (value < 0) {
                release.await();
            }
            return CompletableFuture.completedFuture(value);
        });
    }

    private static void send(RawTcpPeer peer, int value) {
        try {
            peer.sendEcho(value);
        } catch (IOException ended) {
            throw new IllegalStateException(ended);
        }
    }

    private static int inProgress(RpcServer server) {
        return server.load().callsRunning() + server.load().callsWaiting();
    }

    private static void sendEchos(RawTcpPeer peer, int calls) {
        for (int i = 1; i <= calls; i++) {
            send(peer, i);
        }
    }

    @Test
    void aReplyBehindFurtherCallsReachesTheHandlerThatWaitsForIt() throws Exception {
        int further = 500;
        try (RpcServer server = server();
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", server)) {
            for (int i = 1; i <= CREDITS; i++) {
                peer.sendEcho(-i);
            }
            sendEchos(peer, further);
            await().until(() -> inProgress(server) == CREDITS);
            release.countDown();

            int answered = 0;
            while (answered < CREDITS + further) {
                int[] message = peer.receive();
                if (message[CALL] == REPLY) {
                    assertThat(message).endsWith(0, message[0]);
                    answered++;
                } else {
                    peer.sendReply(message[0], message[message.length - 1]);
                }
            }
        }
    }

    @Test
    void aPeerThatSendsTooMuchBeforeSuchAReplyLosesItsConnection() throws Exception {
        release.countDown();
        try (RpcServer server = server();
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", server)) {
            for (int i = 1; i <= CREDITS; i++) {
                peer.sendEcho(-i);
            }
            assertThatThrownBy(() -> {
                        sendEchos(peer, 100_000);
                        for (int i = 0; i <= CREDITS; i++) {
                            peer.receive();
                        }
                    })
                    .hasRootCauseInstanceOf(IOException.class);
            try (RpcConnection other = Loopback.connect(server)) {
                assertThat(EchoProgram.echo(other, 1)).isEqualTo(1);
            }
        }
    }

    private RpcServer server() throws RpcException {
        return Loopback.builder(service).options(OPTIONS).start();
    }
}
