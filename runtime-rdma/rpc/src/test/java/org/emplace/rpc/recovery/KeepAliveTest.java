// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.recovery.ScriptedClients.ECHO;
import static org.emplace.rpc.recovery.ScriptedClients.FIRST_DELAY;
import static org.emplace.rpc.recovery.ScriptedClients.HARD;
import static org.emplace.rpc.recovery.ScriptedClients.echo;
import static org.emplace.rpc.recovery.ScriptedClients.outcome;

import java.time.Duration;
import org.emplace.reactor.ManualClock;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException.Kind;
import org.junit.jupiter.api.Test;

/** How a client detects that its peer no longer responds while calls wait: here within six seconds. */
final class KeepAliveTest {
    private static final Duration HALF = Duration.ofSeconds(3);
    private static final Duration NANOSECOND = Duration.ofNanos(1);

    private final ScriptedClients clients = new ScriptedClients();
    private final ManualClock clock = clients.clock;
    private final RecoveringConnection client = clients.connect(
            ConnectionOptions.DEFAULT.withKeepAlive(HALF.multipliedBy(2)).withConnectTimeout(Duration.ofSeconds(2)));

    @Test
    void procedureZeroIsCalledAfterHalfOfTheTimeLimitWithoutAReply() {
        echo(client, HARD);
        clock.pass(HALF.minus(NANOSECOND));
        assertThat(clients.connection().calls).hasSize(1);
        clock.pass(NANOSECOND);

        ScriptedTransport.Call<?> probe = clients.sent();
        assertThat(probe.procedure.number()).isZero();
        assertThat(probe.procedure.program()).isEqualTo(ECHO.program());
        assertThat(probe.options.timeout()).isEqualTo(HALF);
        assertThat(probe.xid).isEqualTo(clients.connection().calls.get(0).xid + 1);
    }

    @Test
    void aConnectionOverWhichProcedureZeroGetsNoReplyIsClosed() throws Exception {
        RpcCall<Integer> call = echo(client, HARD);
        ScriptedTransport.Connection silent = clients.connection();
        clock.pass(HALF);
        clients.sent().fail(Kind.TIMED_OUT);

        assertThat(silent.isClosed).isTrue();
        assertThat(clients.events)
                .containsExactly("disconnected: connection 0: the peer has not replied for 3 s, not even to a call of"
                        + " procedure 0");
        silent.lose();
        clock.passNothing();
        clients.sent().answer(5);
        assertThat(outcome(call)).isEqualTo(5);
    }

    @Test
    void aPeerThatAnswersProcedureZeroIsCalledAgainAfterHalfOfTheTimeLimit() {
        echo(client, HARD);
        for (int probes = 1; probes <= 3; probes++) {
            clock.pass(HALF);
            assertThat(clients.connection().calls).hasSize(1 + probes);
            clients.sent().answer(null);
        }
        assertThat(clients.events).isEmpty();
    }

    /** A failure shows that the peer responds. */
    @Test
    void anyOtherFailureOfProcedureZeroIsAnAnswer() {
        echo(client, HARD);
        clock.pass(HALF);
        clients.sent().fail(Kind.PROGRAM_UNAVAILABLE);
        assertThat(clients.events).isEmpty();
        clock.pass(HALF);
        assertThat(clients.connection().calls).hasSize(3);
    }

    @Test
    void aReplyPostponesProcedureZero() {
        echo(client, HARD);
        echo(client, HARD);
        clock.pass(HALF.minus(NANOSECOND));
        clients.sent().answer(5);
        clock.pass(HALF);
        assertThat(clients.connection().calls).hasSize(2);
        clock.pass(NANOSECOND);
        assertThat(clients.connection().calls).hasSize(3);
    }

    @Test
    void aReplyDuringTheCallOfProcedureZeroKeepsTheConnection() {
        echo(client, HARD);
        echo(client, HARD);
        clock.pass(HALF);
        clients.connection().calls.get(0).answer(5);
        clients.sent().fail(Kind.TIMED_OUT);

        assertThat(clients.events).isEmpty();
    }

    @Test
    void procedureZeroIsNotCalledIfNoCallWaits() {
        echo(client, HARD);
        clients.sent().answer(5);
        clock.pass(HALF.multipliedBy(10));
        assertThat(clients.connection().calls).hasSize(1);
        assertThat(clock.scheduled()).isZero();

        echo(client, HARD);
        clock.pass(HALF);
        assertThat(clients.connection().calls).hasSize(3);
    }

    @Test
    void procedureZeroIsNotCalledWithoutAConnection() {
        clients.connection().lose();
        clients.transport.unreachableAfter(Duration.ZERO);
        echo(client, HARD);
        clock.pass(HALF.multipliedBy(2));
        assertThat(clients.connection().calls).isEmpty();

        clients.transport.reachable();
        clock.pass(FIRST_DELAY);
        clock.pass(HALF);
        assertThat(clients.sent().procedure.number()).as("keeps checking").isZero();
    }

    /** The peer may only be slow. */
    @Test
    void eachFurtherConnectionGetsTwiceTheTimeUntilAReply() {
        echo(client, HARD);
        long allowed = 3;
        for (int lost = 1; lost <= 8; lost++) {
            clock.pass(Duration.ofSeconds(allowed).minus(NANOSECOND));
            assertThat(clients.sent().procedure.number()).isNotZero();
            clock.pass(NANOSECOND);
            ScriptedTransport.Call<?> probe = clients.sent();
            assertThat(probe.options.timeout()).isEqualTo(Duration.ofSeconds(allowed));
            ScriptedTransport.Connection silent = clients.connection();
            probe.fail(Kind.TIMED_OUT);
            silent.lose();
            clock.passNothing();
            assertThat(clients.connection()).isNotSameAs(silent);
            allowed = Math.min(2 * allowed, 3 * 64);
        }
        clients.sent().answer(5);
        clock.pass(Duration.ofSeconds(allowed));
        echo(client, HARD);
        clock.pass(HALF);
        assertThat(clients.sent().procedure.number()).isZero();
    }

    @Test
    void withoutACreditAnotherConnectionShowsThatThePeerResponds() {
        echo(client, HARD);
        clients.connection().credit = false;
        clock.pass(HALF);

        assertThat(clients.transport.connections).hasSize(2);
        assertThat(clients.connection().isClosed).isTrue();
        assertThat(clients.events).isEmpty();
        clock.pass(HALF);
        assertThat(clients.transport.connections).as("keeps checking").hasSize(3);
    }

    @Test
    void aRefusedConnectionAlsoShowsThatThePeerResponds() {
        echo(client, HARD);
        clients.connection().credit = false;
        clients.transport.unreachableAfter(Duration.ofSeconds(2).minus(NANOSECOND));
        clock.pass(HALF);

        assertThat(clients.events).isEmpty();
    }

    @Test
    void aConnectionIsClosedIfNoOtherCanBeMade() {
        echo(client, HARD);
        clients.connection().credit = false;
        clients.transport.unreachableAfter(Duration.ofSeconds(2));
        clock.pass(HALF);

        assertThat(clients.events)
                .containsExactly("disconnected: connection 0: the peer has not replied for 3 s, and another connection"
                        + " cannot be made");
    }

    @Test
    void procedureZeroIsNotCalledOnceTheClientIsClosed() {
        echo(client, HARD);
        client.close();
        assertThat(clock.scheduled()).isZero();

        clients.connection().lose();
        echo(client, HARD);
        assertThat(clock.scheduled()).isZero();
    }

    @Test
    void aCallOfAClosedClientLeavesNoTimer() {
        client.close();
        echo(client, HARD);
        assertThat(clock.scheduled()).isZero();
    }
}
