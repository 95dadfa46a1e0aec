// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.recovery.ScriptedClients.ADDRESS;
import static org.emplace.rpc.recovery.ScriptedClients.FIRST_DELAY;
import static org.emplace.rpc.recovery.ScriptedClients.HARD;
import static org.emplace.rpc.recovery.ScriptedClients.OPTIONS;
import static org.emplace.rpc.recovery.ScriptedClients.PROGRAM;
import static org.emplace.rpc.recovery.ScriptedClients.SOFT;
import static org.emplace.rpc.recovery.ScriptedClients.echo;
import static org.emplace.rpc.recovery.ScriptedClients.outcome;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.emplace.reactor.ManualClock;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RecoveryObserver;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.RpcService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When a client reconnects, and what it reports. */
@Timeout(60)
final class RecoveringConnectionTest {
    private static final ConnectionOptions DELAYS = OPTIONS.withDelays(FIRST_DELAY, FIRST_DELAY);
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    private final ScriptedClients clients = new ScriptedClients();
    private final ManualClock clock = clients.clock;
    private final ScriptedTransport transport = clients.transport;
    private final List<String> events = clients.events;
    private final RecoveringConnection client = clients.connect();

    @Test
    void aClientReconnectsOnlyWhenACallNeedsIt() {
        clients.connection().lose();
        clock.pass(Duration.ofHours(1));
        assertThat(transport.connections).hasSize(1);
        assertThat(client.current()).isNull();

        echo(client, SOFT);
        clock.passNothing();
        assertThat(transport.connections).hasSize(2);
        assertThat(client.current()).isSameAs(clients.connection());
    }

    @Test
    void aClientThatServesReconnectsAtOnce() {
        RpcService service = new RpcService(PROGRAM, Map.of());
        client.serve(service);
        assertThat(clients.connection().served).containsExactly(service);
        clients.connection().lose();
        clock.pass(FIRST_DELAY);

        assertThat(transport.connections).hasSize(2);
        assertThat(clients.connection().served).containsExactly(service);
    }

    @Test
    void servingMakesAClientWithoutAConnectionConnect() {
        clients.connection().lose();
        client.serve(new RpcService(PROGRAM, Map.of()));
        clock.pass(FIRST_DELAY);

        assertThat(transport.connections).hasSize(2);
    }

    @Test
    void theFirstAttemptComesAfterTheFirstDelay() {
        RpcCall<Integer> call = echo(client, SOFT);
        clock.pass(Duration.ofMillis(30));
        clients.connection().lose();
        clock.pass(Duration.ofMillis(69));
        assertThat(transport.attempts).hasSize(1);
        clock.pass(MILLISECOND);
        assertThat(transport.attempts).hasSize(2);
        assertThat(call.completion().toCompletableFuture()).isNotDone();
    }

    @Test
    void thereIsNoDelayAfterAReplyLaterThanTheFirstDelay() {
        RecoveringConnection doubling = clients.connect(FIRST_DELAY, FIRST_DELAY.multipliedBy(10));
        loseAndReconnect(doubling);
        int before = transport.connections.size();
        clock.pass(FIRST_DELAY.plusNanos(1));
        doubling.answered();
        clients.connection().lose();
        clock.passNothing();
        assertThat(transport.connections).hasSize(before + 1);
    }

    /**
     * Otherwise a call that makes the peer disconnect would be resent without a pause whenever another call gets a
     * reply.
     */
    @Test
    void aReplyWithinTheFirstDelayDoesNotShortenTheNext() {
        RecoveringConnection doubling = clients.connect(FIRST_DELAY, FIRST_DELAY.multipliedBy(10));
        loseAndReconnect(doubling);
        int before = transport.connections.size();
        clock.pass(FIRST_DELAY);
        doubling.answered();
        clients.connection().lose();
        clock.pass(FIRST_DELAY.minusNanos(1));
        assertThat(transport.connections).hasSize(before);
        clock.pass(Duration.ofNanos(1));
        assertThat(transport.connections).hasSize(before + 1);
    }

    @Test
    void delaysDoubleUpToTheLongest() {
        RecoveringConnection doubling = clients.connect(Duration.ofMillis(100), Duration.ofMillis(1000));
        echo(doubling, HARD);
        transport.unreachableAfter(Duration.ZERO);
        clients.connection().lose();

        assertThat(nextAttemptAfter()).isEqualTo(100);
        assertThat(nextAttemptAfter()).isEqualTo(200);
        assertThat(nextAttemptAfter()).isEqualTo(400);
        assertThat(nextAttemptAfter()).isEqualTo(800);
        assertThat(nextAttemptAfter()).isEqualTo(1000);
        assertThat(nextAttemptAfter()).isEqualTo(1000);
    }

    @Test
    void aDelayIsShortenedByAtMostHalfAtRandom() {
        clients.shortensDelays = true;
        RecoveringConnection soonest = clients.connect(Duration.ofMillis(100), Duration.ofMillis(1000));
        echo(soonest, HARD);
        transport.unreachableAfter(Duration.ZERO);
        clients.connection().lose();

        assertThat(nextAttemptAfter()).isEqualTo(50);
        assertThat(nextAttemptAfter()).isEqualTo(100);
        assertThat(nextAttemptAfter()).isEqualTo(200);
    }

    @Test
    void theDelayCountsFromTheEndOfAnAttempt() {
        RecoveringConnection slow = clients.connect(Duration.ofMillis(100), Duration.ofMillis(1000));
        echo(slow, HARD);
        transport.unreachableAfter(Duration.ofMillis(250));
        clients.connection().lose();
        clock.pass(Duration.ofMillis(100));
        assertThat(transport.attempts).hasSize(3);

        assertThat(nextAttemptAfter()).isEqualTo(200 + 250);
    }

    @Test
    void aLazyClientConnectsAtItsFirstCallAndThatIsNoReconnection() {
        RecoveringConnection lazy = clients.connect(ConnectionOptions.DEFAULT.withLazyConnect(true));
        int before = transport.attempts.size();
        transport.unreachableAfter(Duration.ZERO);
        clock.pass(FIRST_DELAY);
        assertThat(transport.attempts).hasSize(before);

        RpcCall<Integer> first = echo(lazy, HARD);
        clock.pass(Duration.ZERO);
        assertThat(transport.attempts).hasSize(before + 1);
        transport.reachable();
        clock.pass(FIRST_DELAY);

        assertThat(clients.connection().calls).hasSize(1);
        assertThat(first.completion().toCompletableFuture()).isNotDone();
        assertThat(events).noneMatch(event -> event.startsWith("reconnected"));
    }

    @Test
    void theAddressIsLookedUpAfterEachFailure() {
        RecoveringConnection moving = clients.connect(DELAYS, address -> URI.create(address + "1"));
        echo(moving, HARD);
        transport.unreachableAfter(Duration.ZERO);
        clients.connection().lose();
        clock.pass(Duration.ofMillis(200));

        assertThat(transport.attempts.subList(2, 4))
                .containsExactly(URI.create(ADDRESS + "1"), URI.create(ADDRESS + "11"));
        assertThat(moving).hasToString(ADDRESS + "11");
        assertThat(events)
                .filteredOn(event -> event.startsWith("not connected: unreachable"))
                .hasSize(2);
    }

    @Test
    void aTransportThatThrowsIsTriedAgain() throws Exception {
        RpcCall<Integer> call = echo(client, SOFT);
        transport.script = () -> {
            throw new IllegalStateException("broken");
        };
        clients.connection().lose();
        clock.pass(FIRST_DELAY);
        assertThat(events)
                .contains("not connected: " + ADDRESS + ": cannot connect: java.lang.IllegalStateException: broken");

        transport.reachable();
        clock.pass(FIRST_DELAY);
        clients.sent().answer(5);
        assertThat(outcome(call)).isEqualTo(5);
    }

    @Test
    void anObserverThatThrowsDoesNotEndRecovery() throws Exception {
        RecoveringConnection observed = clients.connect(
                DELAYS.withRecoveryObserver(new RecoveryObserver() {
                    @Override
                    public void disconnected(URI address, String why) {
                        throw new IllegalStateException("as the test wants it");
                    }
                }),
                address -> address);
        RpcCall<Integer> call = echo(observed, SOFT);
        clients.connection().lose();
        clock.pass(FIRST_DELAY);
        clients.sent().answer(5);
        assertThat(outcome(call)).isEqualTo(5);
    }

    @Test
    void onlyTheLatestConnectionIsReportedAsLostAndOnlyOnce() {
        echo(client, HARD);
        ScriptedTransport.Connection first = clients.connection();
        first.lose();
        clock.pass(FIRST_DELAY);
        RpcException why = new RpcException(Kind.DISCONNECTED, "once more");
        client.disconnected(first, why);
        assertThat(client.current()).isSameAs(clients.connection());

        client.disconnected(clients.connection(), why);
        client.disconnected(clients.connection(), why);
        assertThat(events)
                .filteredOn(event -> event.startsWith("disconnected"))
                .containsExactly("disconnected: lost", "disconnected: once more");
    }

    @Test
    void aConnectionThatEndsWithoutAnExceptionIsReplacedToo() {
        echo(client, SOFT);
        clients.connection().complete();
        clients.sent().fail(Kind.DISCONNECTED);
        clock.pass(FIRST_DELAY);

        assertThat(events).startsWith("disconnected: connection 0: closed by this side");
        assertThat(transport.connections).hasSize(2);
    }

    @Test
    void closingFailsWaitingCallsAndConnectsNoMore() {
        clients.connection().lose();
        RpcCall<Integer> waiting = echo(client, HARD);
        client.close();

        assertFails(() -> outcome(waiting), Kind.DISCONNECTED).hasMessage("%s: closed by this side", waiting);
        assertFails(() -> outcome(echo(client, HARD)), Kind.DISCONNECTED);
        assertThat(clock.scheduled()).isZero();
        clock.pass(Duration.ofMinutes(1));
        assertThat(transport.attempts).hasSize(1);
    }

    @Test
    void closingClosesTheConnectionAndCompletesWithItsEnd() {
        RpcCall<Integer> sent = echo(client, HARD);
        client.close();
        assertThat(clients.connection().isClosed).isTrue();
        assertThat(client.closed().toCompletableFuture()).isNotDone();

        clients.connection().complete();
        clients.sent().fail(Kind.DISCONNECTED);
        assertThat(client.closed().toCompletableFuture()).isCompleted();
        assertFails(() -> outcome(sent), Kind.DISCONNECTED);
        assertThat(events).isEmpty();
    }

    @Test
    void aConnectionMadeWhileTheClientIsBeingClosedIsClosed() {
        echo(client, HARD);
        clients.connection().lose();
        transport.script = client::close;
        clock.pass(FIRST_DELAY);

        assertThat(transport.connections).hasSize(2);
        assertThat(clients.connection().isClosed).isTrue();
        assertThat(clients.connection().calls).isEmpty();
    }

    @Test
    void aClientReportsAboutItsLatestConnection() {
        echo(client, HARD);
        clients.connection().lose();
        clock.pass(FIRST_DELAY);

        assertThat(client.memory()).isSameAs(clients.connection().memory);
        assertThat(client.remoteAddress()).isEqualTo(clients.connection().remoteAddress());
        assertThat(client).hasToString(ADDRESS.toString());
    }

    @Test
    void theFlightRecorderShowsHowLongAClientWasWithoutAConnection(@TempDir Path directory) throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable("org.emplace.rpc.Recovery");
            recording.start();
            echo(client, HARD);
            transport.unreachableAfter(Duration.ZERO);
            clients.connection().lose();
            clock.pass(FIRST_DELAY.multipliedBy(2));
            transport.reachable();
            clock.pass(FIRST_DELAY);
            echo(client, HARD);
            recording.stop();
            recording.dump(directory.resolve("recovery.jfr"));
        }
        List<RecordedEvent> recorded = RecordingFile.readAllEvents(directory.resolve("recovery.jfr"));
        assertThat(recorded).singleElement().satisfies(event -> {
            assertThat(event.getString("address")).isEqualTo(ADDRESS.toString());
            assertThat(event.getString("cause")).isEqualTo("unreachable");
            assertThat(event.getInt("attempts")).isEqualTo(2);
            assertThat(event.getDuration()).isPositive();
        });
    }

    /** The second connection is made after the first delay; the next delay would be twice as long. */
    private void loseAndReconnect(RecoveringConnection connected) {
        echo(connected, HARD);
        clients.connection().lose();
        clock.pass(FIRST_DELAY);
    }

    /** Milliseconds until the next attempt to connect has ended. */
    private long nextAttemptAfter() {
        int before = transport.attempts.size();
        long start = clock.nanoTime();
        for (int i = 0; i < 100_000 && transport.attempts.size() == before; i++) {
            clock.pass(MILLISECOND);
        }
        assertThat(transport.attempts).hasSizeGreaterThan(before);
        return Duration.ofNanos(clock.nanoTime() - start).toMillis();
    }
}
