// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.emplace.Rpc;
import org.emplace.reactor.ManualClock;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.client.PendingCall;
import org.emplace.rpc.client.PendingCalls;
import org.emplace.rpc.client.PendingCalls.ReplyThreads;
import org.junit.jupiter.api.Test;

class CallDeadlinesTest {
    private static final ReplyThreads UNHELPED = new ReplyThreads() {};

    private final ManualClock clock = new ManualClock();
    private final long start = clock.nanoTime();
    private final PendingCalls calls = new PendingCalls(
            "test",
            CallObserver.NONE,
            1 << 20,
            clock,
            call -> CompletableFuture.completedFuture(null),
            UNHELPED,
            Runnable::run,
            true);

    @Test
    void eachCallTimesOutAtItsOwnDeadlineInAnyOrder() {
        PendingCall<Integer, Integer> patient = open(Duration.ofSeconds(9));
        PendingCall<Integer, Integer> hasty = open(Duration.ofSeconds(2));
        PendingCall<Integer, Integer> middling = open(Duration.ofSeconds(5));

        turnTo(Duration.ofSeconds(2));
        assertThat(waiting(hasty, middling, patient)).containsExactly(false, true, true);
        turnTo(Duration.ofMillis(4_999));
        assertThat(waiting(hasty, middling, patient)).containsExactly(false, true, true);
        turnTo(Duration.ofSeconds(5));
        assertThat(waiting(hasty, middling, patient)).containsExactly(false, false, true);
        turnTo(Duration.ofSeconds(9));
        assertThat(waiting(hasty, middling, patient)).containsExactly(false, false, false);
        assertFails(hasty::await, Kind.TIMED_OUT).hasMessageContaining("no reply within 2000 ms");
    }

    @Test
    void callsThatAreAnsweredInTimeSetTheTimerOnce() {
        for (int call = 0; call < 1_000; call++) {
            calls.claim(open(Duration.ofSeconds(60)).xid());
        }

        assertThat(clock.started()).isEqualTo(1);
        turnTo(Duration.ofSeconds(60));
        assertThat(clock.scheduled()).as("checks due although no call waits").isZero();
    }

    @Test
    void aCallTimesOutAfterTheCheckForAnEarlierCallThatWasAnswered() {
        calls.claim(open(Duration.ofSeconds(1)).xid());
        turnTo(Duration.ofMillis(500));
        PendingCall<Integer, Integer> later = open(Duration.ofSeconds(1));

        turnTo(Duration.ofSeconds(1));
        assertThat(waiting(later)).containsExactly(true);
        turnTo(Duration.ofMillis(1_500));
        assertThat(waiting(later)).containsExactly(false);
    }

    @Test
    void stagesOfACallThatTimesOutWithoutAConnectionRunOnNoTimersThread() throws Exception {
        URI nobody = URI.create("tcp://127.0.0.1:1");
        CallOptions soon = CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(1));
        try (RpcClient client = Rpc.client(nobody, ConnectionOptions.DEFAULT.withLazyConnect(true))) {
            String thread = client.call(EchoProgram.ECHO, 1, Destinations.none(), soon)
                    .completion()
                    .handle((value, failure) -> Thread.currentThread().getName())
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);

            assertThat(thread).doesNotContain("timer");
        }
    }

    @Test
    void aCallWhoseTimeoutFailsDoesNotDelayOthers() {
        PendingCalls troubled = new PendingCalls(
                "test",
                CallObserver.NONE,
                1 << 20,
                clock,
                call -> {
                    throw new IllegalStateException("no thread for the call " + call);
                },
                UNHELPED,
                Runnable::run,
                true);
        List<PendingCall<Integer, Integer>> both = List.of(
                troubled.open(EchoProgram.ECHO, 1, Destinations.none(), CallOptions.DEFAULT),
                troubled.open(EchoProgram.ECHO, 2, Destinations.none(), CallOptions.DEFAULT));
        PendingCall<Integer, Integer> later = troubled.open(
                EchoProgram.ECHO, 3, Destinations.none(), CallOptions.DEFAULT.withTimeout(Duration.ofDays(1)));

        turnTo(CallOptions.DEFAULT.timeout());
        assertThat(both).noneMatch(PendingCall::isWaiting);
        turnTo(Duration.ofDays(1));
        assertThat(waiting(later)).containsExactly(false);
    }

    @Test
    void aCallMayWaitForever() {
        PendingCall<Integer, Integer> call = open(Duration.ofSeconds(Long.MAX_VALUE));

        turnTo(Duration.ofDays(365));

        assertThat(waiting(call)).containsExactly(true);
    }

    @Test
    void anEndedConnectionSetsNoTimer() {
        open(Duration.ofSeconds(1));

        calls.disconnected(Kind.DISCONNECTED, "closed");

        assertThat(clock.scheduled()).isZero();
        assertThat(waiting(open(Duration.ofSeconds(1)))).containsExactly(false);
        assertThat(clock.scheduled()).isZero();
    }

    private void turnTo(Duration sinceTheStart) {
        clock.pass(Duration.ofNanos(start + sinceTheStart.toNanos() - clock.nanoTime()));
    }

    private PendingCall<Integer, Integer> open(Duration timeout) {
        return calls.open(EchoProgram.ECHO, 7, Destinations.none(), CallOptions.DEFAULT.withTimeout(timeout));
    }

    private static List<Boolean> waiting(PendingCall<?, ?>... calls) {
        return List.of(calls).stream().map(PendingCall::isWaiting).toList();
    }
}
