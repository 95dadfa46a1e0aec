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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the calls of all connections share the threads and the queue of a server. */
@Timeout(60)
final class ServerThreadsTest {
    @Test
    void callsBeyondTheQueueAreRejected() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (RpcServer small = Loopback.builder(EchoProgram.heldBy(release))
                        .threads(1)
                        .queue(1)
                        .start();
                RpcConnection caller = Loopback.connect(small)) {
            List<RpcCall<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                calls.add(caller.call(EchoProgram.ECHO, i, Destinations.none(), OPTIONS));
            }

            assertFails(calls.get(2)::await, Kind.SYSTEM_ERROR);
            release.countDown();
            assertThat(calls.get(0).await()).isEqualTo(0);
            assertThat(calls.get(1).await()).isEqualTo(1);
        }
    }

    @Test
    void aConnectionWhoseCallsHangLeavesThreadsForOthers() throws Exception {
        StuckService service = new StuckService(1);
        try (RpcServer small = server(service, 4, 1024);
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
        RpcService.Body<Integer, Integer> service = (value, call) -> {
            started.add(value);
            (value == 1 ? firstEnds : othersEnd).await();
            return CompletableFuture.completedFuture(value);
        };
        try (RpcServer small = server(service, 4, 1024);
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
        try (RpcServer small = server(service, 4, 1024);
                StuckCalls stuck = new StuckCalls(small, 5, 20);
                RawTcpPeer other = new RawTcpPeer("127.0.0.2", small)) {
            service.awaitStuck();
            for (int i = 0; i < 20; i++) {
                assertThat(other.echo(i)).isTrue();
            }

            service.release();
            assertThat(stuck.awaitSuccesses()).isEqualTo(5 * 20);
        }
    }

    @Test
    void aPeerThatFillsTheQueueLeavesPlacesForOthers() throws Exception {
        StuckService service = new StuckService(4);
        try (RpcServer small = server(service, 4, 64);
                StuckCalls stuck = new StuckCalls(small, 4, 32);
                RawTcpPeer other = new RawTcpPeer("127.0.0.2", small)) {
            stuck.awaitRefusals(60);
            other.sendEcho(-1);
            service.awaitStuck();
            other.sendEcho(1);

            service.release();
            assertThat(other.receiveStatus()).isZero();
            assertThat(other.receiveStatus()).isZero();
            assertThat(stuck.awaitSuccesses()).isGreaterThan(32);
        }
    }

    @Test
    void connectionsThatFillThePlacesOfTheirPeerLeaveOneForAnother() throws Exception {
        StuckService service = new StuckService(1);
        try (RpcServer small = server(service, 1, 8);
                StuckCalls stuck = new StuckCalls(small, 3, 8);
                RpcConnection other = Loopback.connect(small)) {
            stuck.awaitRefusals(3 * 8 - 1 - 7);
            RpcCall<Integer> call = other.call(EchoProgram.ECHO, 1, Destinations.none(), OPTIONS);
            stuck.awaitRefusals(1);

            service.release();
            assertThat(call.await()).isEqualTo(1);
            assertThat(stuck.awaitSuccesses()).isEqualTo(1 + 7 - 1);
        }
    }

    @Test
    void twoPeersWhoseCallsHangLeaveAThreadForAThird() throws Exception {
        StuckService service = new StuckService(15);
        try (RpcServer server = server(service, 16, 1024);
                StuckCalls first = new StuckCalls(server, 2, 20);
                RawTcpPeer second = new RawTcpPeer("127.0.0.2", server);
                RawTcpPeer third = new RawTcpPeer("127.0.0.3", server)) {
            for (int i = 1; i <= 20; i++) {
                second.sendEcho(-i);
            }
            service.awaitStuck();

            assertThat(third.echo(3)).isTrue();

            service.release();
            assertThat(first.awaitSuccesses()).isEqualTo(40);
        }
    }

    @Test
    void aSinglePeerHasNearlyAllThreads() throws Exception {
        StuckService service = new StuckService(14);
        try (RpcServer server = server(service, 16, 1024);
                StuckCalls calls = new StuckCalls(server, 2, 20)) {
            service.awaitStuck();

            service.release();
            assertThat(calls.awaitSuccesses()).isEqualTo(40);
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

    private static RpcServer server(RpcService.Body<Integer, Integer> echo, int threads, int queue)
            throws RpcException {
        return Loopback.builder(EchoProgram.service(echo))
                .threads(threads)
                .queue(queue)
                .start();
    }

    /** Answers positive numbers; calls with negative ones hang until it is released. */
    private static final class StuckService implements RpcService.Body<Integer, Integer> {
        private final CountDownLatch stuck;
        private final CountDownLatch released = new CountDownLatch(1);

        StuckService(int expected) {
            stuck = new CountDownLatch(expected);
        }

        @Override
        public CompletionStage<Integer> answer(Integer value, ServerCall call) throws InterruptedException {
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
        private final Semaphore refused = new Semaphore(0);

        StuckCalls(RpcServer server, int connections, int callsOfEach) throws RpcException {
            for (int i = 0; i < connections; i++) {
                RpcConnection connection = Loopback.connect(server);
                this.connections.add(connection);
                for (int value = 1; value <= callsOfEach; value++) {
                    RpcCall<Integer> call = connection.call(EchoProgram.ECHO, -value, Destinations.none(), OPTIONS);
                    calls.add(call);
                    call.completion().whenComplete((answer, failure) -> refused.release(failure == null ? 0 : 1));
                }
            }
        }

        void awaitRefusals(int count) throws InterruptedException {
            assertThat(refused.tryAcquire(count, 20, TimeUnit.SECONDS)).isTrue();
        }

        /** The number of calls that are finally answered with a result. */
        int awaitSuccesses() throws InterruptedException {
            int successes = 0;
            for (RpcCall<Integer> call : calls) {
                try {
                    call.await();
                    successes++;
                } catch (RpcException refusal) {
                    assertThat(refusal.kind()).isEqualTo(Kind.SYSTEM_ERROR);
                }
            }
            return successes;
        }

        @Override
        public void close() {
            connections.forEach(RpcConnection::close);
        }
    }
}
