// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.emplace.rpc.EchoProgram.echo;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.Loopback.OPTIONS;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the calls of all connections share the threads of a server. */
@Timeout(60)
final class ServerThreadsTest {
    @Test
    void callsBeyondTheThreadsWait() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (RpcServer small =
                        Loopback.builder(EchoProgram.heldBy(release)).threads(1).start();
                RpcConnection caller = Loopback.connect(small)) {
            List<RpcCall<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                calls.add(caller.call(EchoProgram.ECHO, i, Destinations.none(), OPTIONS));
            }
            await().until(() -> small.load().callsWaiting() == 2);
            assertThat(small.load().longestWait()).isPositive();

            release.countDown();
            for (int i = 0; i < 3; i++) {
                assertThat(calls.get(i).await()).isEqualTo(i);
            }
            assertThat(small.load().callsWaiting()).isZero();
            assertThat(small.load().longestWait()).isZero();
        }
    }

    @Test
    void aConnectionWhoseCallsHangLeavesThreadsForOthers() throws Exception {
        StuckService service = new StuckService(1);
        try (RpcServer small = server(service, 4);
                RpcConnection stuck = Loopback.connect(small);
                RpcConnection other = Loopback.connect(small)) {
            List<RpcCall<Integer>> calls = new ArrayList<>();
            for (int i = 1; i <= 20; i++) {
                calls.add(stuck.call(EchoProgram.ECHO, -i, Destinations.none(), OPTIONS));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(echo(other, i)).isEqualTo(i);
            }

            service.release();
            for (int i = 1; i <= 20; i++) {
                assertThat(calls.get(i - 1).await()).isEqualTo(-i);
            }
        }
    }

    @Test
    void aConnectionThatHasNoThreadGoesBeforeOneThatHasSome() throws Exception {
        CountDownLatch firstEnds = new CountDownLatch(1);
        CountDownLatch othersEnd = new CountDownLatch(1);
        BlockingQueue<Integer> started = new LinkedBlockingQueue<>();
        RpcService.AsyncHandling<Integer, Integer> service = (value, call) -> {
            started.add(value);
            (value == 1 ? firstEnds : othersEnd).await();
            return CompletableFuture.completedFuture(value);
        };
        try (RpcServer small = server(service, 4);
                RpcConnection busy = Loopback.connect(small);
                RpcConnection another = Loopback.connect(small);
                RpcConnection late = Loopback.connect(small)) {
            List<RpcCall<Integer>> calls = new ArrayList<>();
            calls.addAll(admitted(busy, 1, 2, 3));
            calls.addAll(admitted(another, 4));
            calls.addAll(admitted(late, 5));
            assertThat(List.of(started.take(), started.take(), started.take())).containsExactlyInAnyOrder(1, 2, 4);

            firstEnds.countDown();
            assertThat(started.poll(20, TimeUnit.SECONDS)).isEqualTo(5);

            othersEnd.countDown();
            for (int i = 1; i <= 5; i++) {
                assertThat(calls.get(i - 1).await()).isEqualTo(i);
            }
        }
    }

    /** Makes calls, and returns when each has a thread or waits for one: a call to a procedure that is not served needs none. */
    private static List<RpcCall<Integer>> admitted(RpcConnection connection, int... values) {
        List<RpcCall<Integer>> calls = new ArrayList<>();
        for (int value : values) {
            calls.add(connection.call(EchoProgram.ECHO, value, Destinations.none(), OPTIONS));
        }
        assertFails(
                connection.call(EchoProgram.UNSERVED, 0, Destinations.none(), OPTIONS)::await,
                Kind.PROCEDURE_UNAVAILABLE);
        return calls;
    }

    @Test
    void aPeerWhoseConnectionsHangLeavesThreadsForOthers() throws Exception {
        StuckService service = new StuckService(3);
        try (RpcServer small = server(service, 4);
                StuckCalls stuck = new StuckCalls(small, 5, 20);
                RawTcpPeer other = new RawTcpPeer("127.0.0.2", small)) {
            service.awaitStuck();
            for (int i = 0; i < 20; i++) {
                assertThat(other.echo(i)).isTrue();
            }

            service.release();
            stuck.awaitAnswers();
        }
    }

    @Test
    void peersWithWaitingCallsTakeTurnsHoweverManyEachHas() throws Exception {
        BlockingQueue<Integer> started = new LinkedBlockingQueue<>();
        CountDownLatch released = new CountDownLatch(1);
        RpcService.AsyncHandling<Integer, Integer> service = (value, call) -> {
            started.add(value);
            released.await();
            return CompletableFuture.completedFuture(value);
        };
        try (RpcServer small = server(service, 1);
                StuckCalls many = new StuckCalls(small, 8, 64);
                RawTcpPeer other = new RawTcpPeer("127.0.0.2", small)) {
            await().until(() -> small.load().callsWaiting() == 8 * 64 - 1);
            other.sendEcho(1);
            other.sendEcho(2);
            await().until(() -> small.load().callsWaiting() == 8 * 64 + 1);
            assertThat(started.take()).isNegative();

            released.countDown();
            assertThat(List.of(started.take(), started.take(), started.take(), started.take()))
                    .contains(1, 2);
            assertThat(other.receiveStatus()).isZero();
            assertThat(other.receiveStatus()).isZero();
            many.awaitAnswers();
        }
    }

    @Test
    void aConnectionWithManyWaitingCallsDelaysNoOtherOfItsPeerByMoreThanOneCall() throws Exception {
        BlockingQueue<Integer> started = new LinkedBlockingQueue<>();
        CountDownLatch released = new CountDownLatch(1);
        RpcService.AsyncHandling<Integer, Integer> service = (value, call) -> {
            started.add(value);
            released.await();
            return CompletableFuture.completedFuture(value);
        };
        try (RpcServer small = server(service, 1);
                StuckCalls many = new StuckCalls(small, 1, 64);
                RpcConnection other = Loopback.connect(small)) {
            await().until(() -> small.load().callsWaiting() == 63);
            RpcCall<Integer> call = other.call(EchoProgram.ECHO, 1, Destinations.none(), OPTIONS);
            await().until(() -> small.load().callsWaiting() == 64);
            assertThat(started.take()).isNegative();

            released.countDown();
            assertThat(List.of(started.take(), started.take())).contains(1);
            assertThat(call.await()).isEqualTo(1);
            many.awaitAnswers();
        }
    }

    @Test
    void waitingCallsOfAConnectionThatEndsAreDropped() throws Exception {
        AtomicInteger answered = new AtomicInteger();
        CountDownLatch released = new CountDownLatch(1);
        RpcService.AsyncHandling<Integer, Integer> service = (value, call) -> {
            released.await();
            return CompletableFuture.completedFuture(answered.incrementAndGet());
        };
        try (RpcServer small = server(service, 1);
                RpcConnection other = Loopback.connect(small)) {
            try (StuckCalls ending = new StuckCalls(small, 1, 64)) {
                await().until(() -> small.load().callsWaiting() == 63);
                assertThat(ending).isNotNull();
            }
            await().until(() -> small.load().callsWaiting() == 0);

            released.countDown();
            assertThat(echo(other, 1)).isEqualTo(2);
        }
    }

    @Test
    void twoPeersWhoseCallsHangLeaveAThreadForAThird() throws Exception {
        StuckService service = new StuckService(15);
        try (RpcServer server = server(service, 16);
                StuckCalls first = new StuckCalls(server, 2, 20);
                RawTcpPeer second = new RawTcpPeer("127.0.0.2", server);
                RawTcpPeer third = new RawTcpPeer("127.0.0.3", server)) {
            for (int i = 1; i <= 20; i++) {
                second.sendEcho(-i);
            }
            service.awaitStuck();

            assertThat(third.echo(3)).isTrue();

            service.release();
            first.awaitAnswers();
        }
    }

    @Test
    void aSinglePeerHasNearlyAllThreads() throws Exception {
        StuckService service = new StuckService(14);
        try (RpcServer server = server(service, 16);
                StuckCalls calls = new StuckCalls(server, 2, 20)) {
            service.awaitStuck();

            service.release();
            calls.awaitAnswers();
        }
    }

    @Test
    void theThreadsEndSoonAfterTheLastCall() throws Exception {
        try (RpcServer server = Loopback.serve(EchoProgram.service());
                RpcConnection caller = Loopback.connect(server)) {
            echo(caller, 1);

            await().until(() -> serverThreads().isEmpty());
            assertThat(echo(caller, 2)).isEqualTo(2);
        }
    }

    private static List<String> serverThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter("emplace-rpc-server"::equals)
                .toList();
    }

    private static RpcServer server(RpcService.AsyncHandling<Integer, Integer> echo, int threads) throws RpcException {
        return Loopback.builder(EchoProgram.service(echo)).threads(threads).start();
    }

    /** Answers positive numbers; calls with negative ones hang until it is released. */
    private static final class StuckService implements RpcService.AsyncHandling<Integer, Integer> {
        private final CountDownLatch stuck;
        private final CountDownLatch released = new CountDownLatch(1);

        StuckService(int expected) {
            stuck = new CountDownLatch(expected);
        }

        @Override
        public CompletionStage<Integer> handle(Integer value, ServerCall call) throws InterruptedException {
            if (value < 0) {
                stuck.countDown();
                released.await();
            }
            return CompletableFuture.completedFuture(value);
        }

        /** Waits until the expected number of calls hang. */
        void awaitStuck() throws InterruptedException {
            assertThat(stuck.await(20, TimeUnit.SECONDS)).isTrue();
        }

        void release() {
            released.countDown();
        }
    }

    /** Connections from 127.0.0.1 with calls that hang. */
    private static final class StuckCalls implements AutoCloseable {
        private final List<RpcConnection> connections = new ArrayList<>();
        private final List<RpcCall<Integer>> calls = new ArrayList<>();

        StuckCalls(RpcServer server, int connections, int callsOfEach) throws RpcException {
            for (int i = 0; i < connections; i++) {
                RpcConnection connection = Loopback.connect(server);
                this.connections.add(connection);
                for (int value = 1; value <= callsOfEach; value++) {
                    calls.add(connection.call(EchoProgram.ECHO, -value, Destinations.none(), OPTIONS));
                }
            }
        }

        /** Waits until all calls have been answered with a result. */
        void awaitAnswers() throws Exception {
            for (RpcCall<Integer> call : calls) {
                call.await();
            }
        }

        @Override
        public void close() {
            connections.forEach(RpcConnection::close);
        }
    }
}
