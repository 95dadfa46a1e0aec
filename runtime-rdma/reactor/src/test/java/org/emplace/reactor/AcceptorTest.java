// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class AcceptorTest {

    @Test
    void afterFailuresThatAreReportedOnceItGoesOnAccepting() throws Exception {
        SocketHandler sockets = new SocketHandler("acceptor-test");
        AtomicInteger failures = new AtomicInteger();
        AtomicInteger ends = new AtomicInteger();
        BlockingQueue<SocketChannel> accepted = new LinkedBlockingQueue<>();
        try (ServerSocketChannel listening =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                LoggedBy logged = LoggedBy.logger(Acceptor.class)) {
            listening.configureBlocking(false);
            SocketAddress address = listening.getLocalAddress();
            Acceptor acceptor = new Acceptor(
                    sockets,
                    listening,
                    connection -> {
                        if (failures.incrementAndGet() <= 3) {
                            throw new OutOfMemoryError("as the test wants it");
                        }
                        accepted.add(connection);
                    },
                    ends::incrementAndGet);
            acceptor.start();

            for (int i = 0; i < 3; i++) {
                try (SocketChannel refused = SocketChannel.open(listening.getLocalAddress())) {
                    assertThat(refused.read(ByteBuffer.allocate(1))).isNegative();
                }
            }
            try (SocketChannel last = SocketChannel.open(listening.getLocalAddress());
                    SocketChannel connection = accepted.poll(20, TimeUnit.SECONDS)) {
                assertThat(connection.getRemoteAddress()).isEqualTo(last.getLocalAddress());
            }
            // The first and the second of three.
            assertThat(logged.count(Level.WARNING)).isEqualTo(2);
            assertThat(logged.hasStackTrace()).isFalse();

            acceptor.close();
            acceptor.close();
            assertThat(ends).hasValue(1);
            try (ServerSocketChannel next = ServerSocketChannel.open().bind(address)) {
                assertThat(next.isOpen()).isTrue();
            }
        } finally {
            sockets.loop().shutDown(Duration.ZERO);
        }
    }

    @Test
    void manyConnectionsAtOnceLeaveTurnsToOthersOfTheLoop() throws Exception {
        SocketHandler sockets = new SocketHandler("acceptor-test");
        List<SocketChannel> peers = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(1);
        BlockingQueue<SocketChannel> accepted = new LinkedBlockingQueue<>();
        BlockingQueue<Integer> acceptedBefore = new LinkedBlockingQueue<>();
        try (ServerSocketChannel listening =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100)) {
            listening.configureBlocking(false);
            Acceptor acceptor = new Acceptor(
                    sockets,
                    listening,
                    connection -> {
                        awaitQuietly(all);
                        accepted.add(connection);
                    },
                    () -> {});
            acceptor.start();
            for (int i = 0; i < 50; i++) {
                peers.add(SocketChannel.open(listening.getLocalAddress()));
            }
            sockets.loop().execute(() -> acceptedBefore.add(accepted.size()));
            all.countDown();

            assertThat(acceptedBefore.poll(20, TimeUnit.SECONDS)).isLessThanOrEqualTo(16);
            for (int i = 0; i < peers.size(); i++) {
                SocketHandler.closeQuietly(accepted.poll(20, TimeUnit.SECONDS));
            }
            acceptor.close();
        } finally {
            for (SocketChannel peer : peers) {
                peer.close();
            }
            sockets.loop().shutDown(Duration.ZERO);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** As at the limit of descriptors, where one connection succeeds whenever another has ended. */
    @Test
    void failuresBetweenWhichConnectionsAreAcceptedDoNotFloodTheLog() throws Exception {
        SocketHandler sockets = new SocketHandler("acceptor-test");
        AtomicInteger attempts = new AtomicInteger();
        try (ServerSocketChannel listening =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                LoggedBy logged = LoggedBy.logger(Acceptor.class)) {
            listening.configureBlocking(false);
            Acceptor acceptor = new Acceptor(
                    sockets,
                    listening,
                    connection -> {
                        SocketHandler.closeQuietly(connection);
                        if (attempts.incrementAndGet() % 2 == 0) {
                            throw new IllegalStateException("as the test wants it");
                        }
                    },
                    () -> {});
            acceptor.start();
            for (int i = 0; i < 20; i++) {
                try (SocketChannel peer = SocketChannel.open(listening.getLocalAddress())) {
                    assertThat(peer.read(ByteBuffer.allocate(1))).isNegative();
                }
            }
            assertThat(logged.messages()).hasSizeLessThanOrEqualTo(4);
            assertThat(logged.hasStackTrace()).isFalse();
            acceptor.close();
        } finally {
            sockets.loop().shutDown(Duration.ZERO);
        }
    }
}
