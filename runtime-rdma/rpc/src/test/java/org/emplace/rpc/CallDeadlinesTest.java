// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.transport.PendingCall;
import org.emplace.rpc.transport.PendingCalls;
import org.emplace.rpc.transport.ReplyThreads;
import org.emplace.rpc.transport.Timekeeper;
import org.junit.jupiter.api.Test;

class CallDeadlinesTest {
    private static final ReplyThreads UNHELPED = new ReplyThreads() {
        @Override
        public void helpUntil(BooleanSupplier done) {}

        @Override
        public void wakeHelper() {}
    };

    private final HandTurnedClock clock = new HandTurnedClock();
    private final PendingCalls calls = new PendingCalls(
            "test", CallObserver.NONE, clock, call -> CompletableFuture.completedFuture(null), UNHELPED, true);

    @Test
    void eachCallTimesOutAtItsOwnDeadlineInAnyOrder() {
        PendingCall<Integer, Integer> patient = open(Duration.ofSeconds(9));
        PendingCall<Integer, Integer> hasty = open(Duration.ofSeconds(2));
        PendingCall<Integer, Integer> middling = open(Duration.ofSeconds(5));

        clock.turnTo(Duration.ofSeconds(2));
        assertThat(waiting(hasty, middling, patient)).containsExactly(false, true, true);
        clock.turnTo(Duration.ofMillis(4_999));
        assertThat(waiting(hasty, middling, patient)).containsExactly(false, true, true);
        clock.turnTo(Duration.ofSeconds(5));
        assertThat(waiting(hasty, middling, patient)).containsExactly(false, false, true);
        clock.turnTo(Duration.ofSeconds(9));
        assertThat(waiting(hasty, middling, patient)).containsExactly(false, false, false);
        assertFails(hasty::await, Kind.TIMED_OUT).hasMessageContaining("no reply within 2000 ms");
    }

    @Test
    void callsThatAreAnsweredInTimeSetTheTimerOnce() {
        for (int call = 0; call < 1_000; call++) {
            calls.claim(open(Duration.ofSeconds(60)).xid());
        }

        assertThat(clock.scheduled).isEqualTo(1);
        clock.turnTo(Duration.ofSeconds(60));
        assertThat(clock.tasks).as("checks due although no call waits").isEmpty();
    }

    @Test
    void aCallTimesOutAfterTheCheckForAnEarlierCallThatWasAnswered() {
        calls.claim(open(Duration.ofSeconds(1)).xid());
        clock.turnTo(Duration.ofMillis(500));
        PendingCall<Integer, Integer> later = open(Duration.ofSeconds(1));

        clock.turnTo(Duration.ofSeconds(1));
        assertThat(waiting(later)).containsExactly(true);
        clock.turnTo(Duration.ofMillis(1_500));
        assertThat(waiting(later)).containsExactly(false);
    }

    @Test
    void aCallWhoseTimeoutFailsDoesNotDelayOthers() {
        PendingCalls troubled = new PendingCalls(
                "test",
                CallObserver.NONE,
                clock,
                call -> {
                    throw new IllegalStateException("no thread for the call " + call);
                },
                UNHELPED,
                true);
        List<PendingCall<Integer, Integer>> both = List.of(
                troubled.open(EchoProgram.ECHO, 1, List.of(), CallOptions.DEFAULT),
                troubled.open(EchoProgram.ECHO, 2, List.of(), CallOptions.DEFAULT));
        PendingCall<Integer, Integer> later =
                troubled.open(EchoProgram.ECHO, 3, List.of(), CallOptions.DEFAULT.withTimeout(Duration.ofDays(1)));

        clock.turnTo(CallOptions.DEFAULT.timeout());
        assertThat(both).noneMatch(PendingCall::isWaiting);
        clock.turnTo(Duration.ofDays(1));
        assertThat(waiting(later)).containsExactly(false);
    }

    @Test
    void aCallMayWaitForever() {
        PendingCall<Integer, Integer> call = open(Duration.ofSeconds(Long.MAX_VALUE));

        clock.turnTo(Duration.ofDays(365));

        assertThat(waiting(call)).containsExactly(true);
    }

    @Test
    void anEndedConnectionSetsNoTimer() {
        open(Duration.ofSeconds(1));

        calls.end(Kind.DISCONNECTED, "closed");

        assertThat(clock.tasks).isEmpty();
        assertThat(waiting(open(Duration.ofSeconds(1)))).containsExactly(false);
        assertThat(clock.tasks).isEmpty();
    }

    private PendingCall<Integer, Integer> open(Duration timeout) {
        return calls.open(EchoProgram.ECHO, 7, List.of(), CallOptions.DEFAULT.withTimeout(timeout));
    }

    private static List<Boolean> waiting(PendingCall<?, ?>... calls) {
        return List.of(calls).stream().map(PendingCall::isWaiting).toList();
    }

    /** A clock that the test advances. */
    private static final class HandTurnedClock implements Timekeeper {
        /** Close to the overflow of the clock, where it may be. */
        private static final long START = Long.MAX_VALUE - 1_000;

        private record Task(long at, Runnable work) {}

        private final List<Task> tasks = new ArrayList<>();
        private long now = START;
        private int scheduled;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public Timer after(Duration delay, Runnable work) {
            Task task = new Task(now + delay.toNanos(), work);
            tasks.add(task);
            scheduled++;
            return () -> tasks.remove(task);
        }

        void turnTo(Duration sinceTheStart) {
            now = START + sinceTheStart.toNanos();
            for (Task due : List.copyOf(tasks)) {
                if (due.at - now <= 0 && tasks.remove(due)) {
                    due.work.run();
                }
            }
        }
    }
}
