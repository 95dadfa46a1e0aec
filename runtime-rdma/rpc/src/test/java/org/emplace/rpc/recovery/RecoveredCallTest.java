// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.recovery.ScriptedClients.ECHO;
import static org.emplace.rpc.recovery.ScriptedClients.FIRST_DELAY;
import static org.emplace.rpc.recovery.ScriptedClients.HARD;
import static org.emplace.rpc.recovery.ScriptedClients.SOFT;
import static org.emplace.rpc.recovery.ScriptedClients.echo;
import static org.emplace.rpc.recovery.ScriptedClients.outcome;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.emplace.reactor.ManualClock;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.CallOptions.Recovery;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.client.CallQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client's call when its connection ends, it times out or its caller cancels it. */
@Timeout(60)
final class RecoveredCallTest {
    private final ScriptedClients clients = new ScriptedClients();
    private final ManualClock clock = clients.clock;
    private final ScriptedTransport transport = clients.transport;
    private final List<String> events = clients.events;
    private final RecoveringConnection client = clients.connect();

    @Test
    void aCallIsSentWithItsArgumentsDestinationsAndOptions() throws Exception {
        Destinations destinations = Destinations.of();

        RpcCall<Integer> call = client.call(ECHO, 7, destinations, SOFT);

        ScriptedTransport.Call<?> sent = clients.sent();
        assertThat(sent.procedure).isSameAs(ECHO);
        assertThat(sent.arguments).isEqualTo(7);
        assertThat(sent.destinations).isSameAs(destinations);
        assertThat(sent.options).hasToString(SOFT.toString());
        assertThat(call.toString()).isEqualTo("scripted://server:1 xid 0x%08x ECHO".formatted(sent.xid));
        assertThat(call.completion().toCompletableFuture()).isNotDone();
        sent.answer(8);
        assertThat(outcome(call)).isEqualTo(8);
        assertThat(call.completion().toCompletableFuture()).isCompletedWithValue(8);
        assertThat(events).isEmpty();
    }

    @Test
    void eachCallHasAnXidOfItsOwn() {
        echo(client, SOFT);
        echo(client, SOFT);

        assertThat(clients.connection().calls.get(1).xid)
                .isEqualTo(clients.connection().calls.get(0).xid + 1);
    }

    @Test
    void aCallWithoutAReplyIsResentOverTheNextConnectionWithItsXid() throws Exception {
        RpcCall<Integer> call = echo(client, SOFT);
        ScriptedTransport.Connection first = clients.connection();
        first.lose();
        assertThat(first.isClosed).isTrue();
        clock.pass(FIRST_DELAY);

        ScriptedTransport.Call<?> again = clients.sent();
        assertThat(again.xid).isEqualTo(first.calls.get(0).xid);
        assertThat(again.arguments).isEqualTo(7);
        again.answer(8);
        assertThat(outcome(call)).isEqualTo(8);
        assertThat(events).containsExactly("disconnected: lost", "reconnected", "resent: ECHO " + again.xid);
    }

    @Test
    void aCallThatWaitedForAConnectionIsNotReportedAsResent() {
        clients.connection().lose();
        echo(client, SOFT);
        clock.pass(FIRST_DELAY);

        assertThat(clients.connection().calls).hasSize(1);
        assertThat(events).containsExactly("disconnected: lost", "reconnected");
    }

    @Test
    void aSoftCallWaitsForAConnectionUntilItsTimeout() {
        transport.unreachableAfter(Duration.ZERO);
        RpcCall<Integer> call = echo(client, SOFT);
        clock.pass(Duration.ofSeconds(4));
        clients.connection().lose();
        clock.pass(Duration.ofSeconds(6).minusNanos(1));
        assertThat(call.completion().toCompletableFuture()).isNotDone();
        clock.pass(Duration.ofNanos(1));

        assertFails(() -> outcome(call), Kind.TIMED_OUT)
                .hasMessage("%s: no reply within 10000 ms; no connection: unreachable", call);
        int attempts = transport.attempts.size();
        clock.pass(Duration.ofSeconds(5));
        assertThat(transport.attempts)
                .as("at most the attempt that was scheduled")
                .hasSizeLessThanOrEqualTo(attempts + 1);
    }

    @Test
    void aResentCallGetsTheRestOfItsTimeout() {
        echo(client, SOFT);
        clock.pass(Duration.ofSeconds(4));
        clients.connection().lose();
        clock.passNothing();

        assertThat(clients.sent().options.timeout()).isEqualTo(Duration.ofSeconds(6));
        assertThat(clock.scheduled()).as("only the keep-alive's timer").isEqualTo(1);
    }

    @Test
    void aHardCallOutlivesItsTimeout() throws Exception {
        transport.unreachableAfter(Duration.ZERO);
        RpcCall<Integer> call = echo(client, HARD);
        assertThat(clients.sent().options.timeout()).isEqualTo(Timekeeper.LONGEST);
        clients.connection().lose();
        clock.pass(Duration.ofMinutes(1));
        transport.reachable();
        clock.pass(FIRST_DELAY);

        clients.sent().answer(5);
        assertThat(outcome(call)).isEqualTo(5);
    }

    @Test
    void aTimedOutCallReportsItsWholeTimeout() {
        RpcCall<Integer> call = echo(client, SOFT);
        clients.sent().fail(Kind.TIMED_OUT);

        assertFails(() -> outcome(call), Kind.TIMED_OUT).hasMessage("%s: no reply within 10000 ms", call);
        assertThat(events).containsExactly("disconnected: failed as TIMED_OUT"); // as it is not idempotent
    }

    @Test
    void aCallWithoutRecoveryFailsWithItsConnection() {
        RpcCall<Integer> call = client.call(ECHO, 1, Destinations.none(), SOFT.withRecovery(Recovery.NEVER));
        clients.connection().lose();

        assertFails(() -> outcome(call), Kind.DISCONNECTED).hasMessage("lost");
        clock.pass(Duration.ofMinutes(1));
        assertThat(transport.attempts).hasSize(1);
    }

    @Test
    void anyOtherFailureEndsTheCall() {
        RpcCall<Integer> call = echo(client, SOFT);
        clients.sent().fail(Kind.GARBAGE_ARGS);
        assertFails(() -> outcome(call), Kind.GARBAGE_ARGS);

        RpcCall<Integer> broken = echo(client, SOFT);
        clients.sent().result.completeExceptionally(new IllegalStateException("broken"));
        assertFails(() -> outcome(broken), Kind.BAD_REPLY)
                .hasMessage("%s: failed: java.lang.IllegalStateException: broken", broken);
    }

    @Test
    void aCallThatCannotBeSentFails() {
        clients.connection().calling = () -> {
            throw new IllegalStateException("broken");
        };
        RpcCall<Integer> call = echo(client, SOFT);

        assertFails(() -> outcome(call), Kind.NO_RESOURCES)
                .hasMessage("%s: cannot be sent: java.lang.IllegalStateException: broken", call);
    }

    /** An earlier attempt may have run, whatever the last one says of itself. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"DISCONNECTED", "TIMED_OUT"},
            mode = EnumSource.Mode.EXCLUDE)
    void aResentCallThatFailsMayHaveRun(Kind kind) {
        RpcCall<Integer> call = echo(client, SOFT);
        clients.connection().lose();
        clock.pass(FIRST_DELAY);
        clients.sent().fail(kind);

        RpcException failure = catchThrowableOfType(RpcException.class, () -> outcome(call));
        assertThat(failure.kind().mayHaveRun()).isTrue();
        assertThat(failure.kind()).isEqualTo(kind.mayHaveRun() ? kind : Kind.DISCONNECTED);
        assertThat(failure).hasMessageContaining("failed as " + kind);
    }

    @Test
    void aCallThatCannotBeResentMayHaveRun() {
        RpcCall<Integer> call = echo(client, SOFT);
        clients.resending = () -> clients.connection().calling = () -> {
            throw new IllegalStateException("broken");
        };
        clients.connection().lose();
        clock.pass(FIRST_DELAY);

        assertFails(() -> outcome(call), Kind.DISCONNECTED)
                .hasMessageContaining("cannot be sent: java.lang.IllegalStateException: broken");
    }

    @Test
    void aCallThatWaitsForAConnectionCanBeCancelled() {
        clients.connection().lose();
        RpcCall<Integer> call = echo(client, SOFT);
        call.cancel();
        assertFails(() -> outcome(call), Kind.CANCELLED);
        assertThat(clock.scheduled())
                .as("the attempt and the keep-alive's timer")
                .isEqualTo(2);
        clock.pass(FIRST_DELAY);
        assertThat(clients.connection().calls).isEmpty();
    }

    @Test
    void aCancelledCallEndsWhenItsConnectionHasFencedIt() throws Exception {
        RpcCall<Integer> call = echo(client, SOFT);
        call.cancel();
        assertThat(clients.sent().isCancelled).isTrue();
        assertFails(() -> outcome(call), Kind.CANCELLED).hasMessage("%s: cancelled by the caller", call);

        clock.pass(FIRST_DELAY); // the call's connection was given up, too
        RpcCall<Integer> answered = echo(client, SOFT);
        clock.pass(FIRST_DELAY);
        clients.sent().answer(5);
        answered.cancel();
        assertThat(outcome(answered)).isEqualTo(5);
    }

    /** All calls together could be more than such a connection carries, again and again. */
    @Test
    void afterConnectionsThatCarriedNothingTheFirstCallIsResentAlone() {
        List<RpcCall<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            calls.add(echo(client, SOFT));
        }
        for (int i = 0; i < 3; i++) {
            clients.connection().lose();
            clock.pass(FIRST_DELAY.multipliedBy(10));
        }
        assertThat(clients.connection().calls).hasSize(1);
        clients.sent().answer(7);
        assertThat(clients.connection().calls).hasSize(3);
        clients.connection().calls.get(1).answer(8);
        assertThat(clients.connection().calls).hasSize(4);
        clients.connection().calls.get(2).answer(9);
        clients.connection().calls.get(3).answer(10);
        assertThat(calls)
                .allSatisfy(call ->
                        assertThat(call.completion().toCompletableFuture()).isDone());
    }

    /** Otherwise the peer could receive the call later, when the caller has gone on. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCallThatIsOverWithoutAReplyEndsItsConnectionUnlessItIsIdempotent(boolean idempotent) {
        Procedure<Integer, Integer> procedure = Procedure.of(
                ECHO.program(),
                ECHO.number(),
                ECHO.name(),
                ECHO.arguments(),
                ECHO.results(),
                idempotent ? ProcedureBinding.idempotent(value -> 4) : ProcedureBinding.nonIdempotent(value -> 4));
        client.call(procedure, 1, Destinations.none(), SOFT).cancel();
        assertThat(transport.connections.get(0).isClosed).isNotEqualTo(idempotent);
    }

    @Test
    void aCallCancelledDuringItsSendIsCancelledAfterwards() {
        RpcCall<Integer> call = echo(client, SOFT);
        clients.resending = call::cancel;
        clients.connection().lose();
        clock.pass(FIRST_DELAY);

        assertThat(transport.connections).hasSize(2);
        assertThat(clients.sent().isCancelled).isTrue();
        assertFails(() -> outcome(call), Kind.CANCELLED);
    }

    /** The connection must fence the call's memory. */
    @Test
    void aCallCancelledWhileItWaitsForACreditEndsWhenItsConnectionHasFencedIt() throws Exception {
        clients.connection().lose();
        RpcCall<Integer> call = echo(client, SOFT);
        clock.pass(FIRST_DELAY);
        call.cancel();

        assertThat(clients.sent().isCancelled).isTrue();
        assertFails(() -> outcome(call), Kind.CANCELLED);
    }

    @Test
    void aCallThatIsCancelledBeforeItsTurnIsNotSent() {
        RpcCall<Integer> first = echo(client, SOFT);
        RpcCall<Integer> second = echo(client, SOFT);
        clients.resending = second::cancel;
        clients.connection().lose();
        clock.pass(FIRST_DELAY);

        assertThat(clients.connection().calls).hasSize(1);
        assertFails(() -> outcome(second), Kind.CANCELLED);
        assertThat(first.completion().toCompletableFuture()).isNotDone();
    }

    @Test
    void aCallThatEndsWithItsConnectionReportsTheLoss() {
        echo(client, SOFT);
        ScriptedTransport.Connection first = clients.connection();
        clients.sent().fail(Kind.DISCONNECTED);

        assertThat(first.calls).hasSize(1);
        assertThat(first.isClosed).isTrue();
        assertThat(events).containsExactly("disconnected: failed as DISCONNECTED");
    }

    @Test
    void aThreadThatWaitsForACallWithoutAConnectionGetsItsOutcome() throws Exception {
        clients.connection().lose();
        RpcCall<Integer> call = echo(client, HARD);
        Thread waiting = new Thread(() -> {
            try {
                assertFails(call::await, Kind.CANCELLED);
            } catch (AssertionError unexpected) {
                events.add("ended in another way: " + unexpected);
            }
        });
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        call.cancel();
        waiting.join();

        assertThat(events).containsExactly("disconnected: lost");
    }

    @Test
    void aCallIsGivenUpOnceForTheFirstReason() {
        RpcCall<Integer> call = echo(client, SOFT);
        clients.connection().lose();
        call.cancel();
        clock.pass(Duration.ofSeconds(10));

        assertFails(() -> outcome(call), Kind.CANCELLED);
    }

    @Test
    void anInterruptedThreadWaitsUntilTheCallAndItsConnectionHaveEnded() {
        RpcCall<Integer> call = echo(client, SOFT);
        Thread.currentThread().interrupt();

        assertThatThrownBy(call::await).isInstanceOf(InterruptedException.class);
        assertThat(clients.sent().isCancelled).isTrue();
        assertThat(clients.connection().isClosed).isTrue();
        assertFails(() -> outcome(call), Kind.CANCELLED);
    }

    @Test
    void aThreadWaitsForACallAcrossItsConnections() throws Exception {
        clients.connection().lose();
        RpcCall<Integer> call = echo(client, SOFT);
        CompletableFuture<Integer> awaited = CompletableFuture.supplyAsync(() -> {
            try {
                return call.await();
            } catch (RpcException | InterruptedException failed) {
                throw new AssertionError(failed);
            }
        });
        clock.pass(FIRST_DELAY);
        clients.connection().lose();
        clock.pass(FIRST_DELAY);
        clients.sent().answer(5);

        assertThat(awaited.get()).isEqualTo(5);
    }

    @Test
    void theNumberOfCallsThatWaitForAConnectionIsBounded() {
        RpcCall<Integer> sent = client.call(ECHO, 0, Destinations.none(), SOFT);
        ScriptedTransport.Connection first = clients.connection();
        client.disconnected(first, new RpcException(Kind.DISCONNECTED, "lost"));
        RpcCall<Integer> last = sent;
        for (int i = 0; i < CallQueue.LIMIT; i++) {
            last = client.call(ECHO, i, Destinations.none(), HARD);
        }
        assertThat(last.completion().toCompletableFuture()).isNotDone();
        RpcCall<Integer> refused = echo(client, HARD);
        assertFails(() -> outcome(refused), Kind.QUEUE_FULL)
                .hasMessage(refused
                        + ": 65536 calls already wait for a connection; wait for some to complete before making more");

        first.lose();
        assertThat(sent.completion().toCompletableFuture())
                .as("a call that was sent before waits nevertheless")
                .isNotDone();
    }
}
