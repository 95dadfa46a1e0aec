// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.rpc.Loopback.address;
import static org.emplace.rpc.Loopback.connect;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.limits.ConnectionLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limit of a server's connections. */
final class ConnectionLimitTest {

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void connectionsBeyondTheLimitAreRefusedUntilAnotherEnds(String scheme) throws Exception {
        try (RpcServer server = Loopback.builder(scheme, EchoProgram.service())
                .maxConnections(1)
                .start()) {
            URI address = address(scheme, server);
            try (RpcConnection only = Rpc.connect(address)) {
                echo(only);
                assertThatThrownBy(() -> connectAndEcho(address)).isInstanceOf(RpcException.class);
                echo(only);
            }
            Awaitility.await().ignoreException(RpcException.class).until(() -> {
                connectAndEcho(address);
                return true;
            });
        }
    }

    @ParameterizedTest
    @Timeout(60)
    @ValueSource(strings = {"tcp", "rdma"})
    void anIdleConnectionIsClosedInFavorOfAnother(String scheme) throws Exception {
        try (RpcServer server = server(scheme, 1)) {
            try (RpcConnection idle = connect(scheme, server)) {
                echo(idle);
                try (RpcConnection another = letIn(address(scheme, server))) {
                    assertThat(idle.closed().handle((orderly, failure) -> "over"))
                            .succeedsWithin(Duration.ofSeconds(20));
                    echo(another);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aConnectionWithACallInProgressIsNotIdle(String scheme) throws Exception {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        CountDownLatch running = new CountDownLatch(1);
        try (RpcServer server = server(scheme, 1, EchoProgram.service((value, call) -> {
                    running.countDown();
                    return answer;
                }));
                RpcConnection busy = connect(scheme, server)) {
            RpcCall<Integer> call = busy.call(EchoProgram.ECHO, 1, Destinations.none(), CallOptions.DEFAULT);
            assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();

            assertThatThrownBy(() -> connectAndEcho(address(scheme, server))).isInstanceOf(RpcException.class);
            answer.complete(2);
            assertThat(call.await()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aConnectionWithABackwardCallInProgressIsNotIdle(String scheme) throws Exception {
        CompletableFuture<ServerCall.Connection> accepted = new CompletableFuture<>();
        try (RpcServer server = server(scheme, 1, EchoProgram.service((value, call) -> {
                    call.connection().enableBackwardCalls();
                    accepted.complete(call.connection());
                    return CompletableFuture.completedFuture(value);
                }));
                RpcClient called = connect(scheme, server)) {
            called.serve(EchoProgram.service());
            echo(called);
            RpcCall<Integer> call = accepted.get(20, TimeUnit.SECONDS)
                    .call(EchoProgram.NEVER, 1, Destinations.none(), CallOptions.DEFAULT.withUnboundedReplySize(100));

            assertThatThrownBy(() -> connectAndEcho(address(scheme, server))).isInstanceOf(RpcException.class);
            echo(called);
            assertThat(call.completion().toCompletableFuture()).isNotDone();
        }
    }

    @Test
    void idleConnectionsOfTheAddressThatHasTheMostAreClosedFirst() throws Exception {
        List<RawTcpPeer> many = new ArrayList<>();
        try (RpcServer server = server("tcp", 8);
                RpcConnection first = Loopback.connect(server)) {
            echo(first);
            for (int i = 0; i < 7; i++) {
                RawTcpPeer peer = new RawTcpPeer("127.0.0.2", server);
                many.add(peer);
                assertThat(peer.echo(i)).isTrue();
            }
            try (RpcConnection second = Loopback.connect(server);
                    RpcConnection third = Loopback.connect(server)) {
                echo(second);
                echo(third);
                echo(first);
                echo(second);
            }
        } finally {
            for (RawTcpPeer peer : many) {
                peer.close();
            }
        }
    }

    @Test
    void anAddressWithMoreThanItsShareReplacesOnlyItsOwnConnections() {
        ConnectionLimit limit = new ConnectionLimit(16, Duration.ZERO, said -> {});
        List<IdleOccupant> others = new ArrayList<>();
        for (int host = 1; host <= 8; host++) {
            others.add(IdleOccupant.admitted(limit, peer(host)));
        }
        List<IdleOccupant> own = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            own.add(IdleOccupant.admitted(limit, peer(9)));
        }

        assertThat(others).noneMatch(other -> other.closed);
        assertThat(own).filteredOn(one -> one.closed).hasSize(20 - 7);
        assertThat(own.get(0).closed).isTrue();
    }

    @Test
    void closedIdleConnectionsDoNotFloodTheLog() {
        List<String> said = new ArrayList<>();
        ConnectionLimit limit = new ConnectionLimit(1, Duration.ZERO, said::add);
        for (int i = 0; i < 1_000; i++) {
            IdleOccupant.admitted(limit, peer(1));
        }

        assertThat(said).hasSize(10).first().asString().contains("in favor of /10.0.0.1:1");
    }

    /** For example for lack of memory. */
    @Test
    void anAnnouncementThatFailsTakesNoPlace() {
        ConnectionLimit limit = new ConnectionLimit(1, Duration.ZERO, said -> {
            throw new OutOfMemoryError("as the test wants it");
        });
        IdleOccupant idle = IdleOccupant.admitted(limit, peer(1));

        assertThatThrownBy(() -> limit.admit(peer(1))).isInstanceOf(OutOfMemoryError.class);
        assertThat(idle.closed).isTrue();
        assertThat(limit.taken()).isZero();
        assertThat(limit.admit(peer(1))).isPresent();
    }

    @Test
    void theLimitIsLoggedOnceUntilATenthOfTheConnectionsHasEnded() {
        List<String> said = new ArrayList<>();
        ConnectionLimit limit = new ConnectionLimit(10, Duration.ZERO, said::add);
        Deque<ConnectionLimit.Place> places = new ArrayDeque<>();
        fill(limit, places);
        places.pop().leave();
        fill(limit, places);
        assertThat(said).hasSize(1);
        places.pop().leave();
        places.pop().leave();
        fill(limit, places);
        assertThat(said).hasSize(2);
        assertThat(limit.refused()).isEqualTo(3);
    }

    @Test
    void oneAddressLeavesConnectionsForOthers() {
        List<String> said = new ArrayList<>();
        ConnectionLimit limit = new ConnectionLimit(64, Duration.ZERO, said::add);

        List<ConnectionLimit.Place> first = admitted(limit, 1);
        assertThat(first).hasSize(56);
        assertThat(said).hasSize(1).first().asString().contains("its address has 56 of the server's 64");
        assertThat(admitted(limit, 2)).hasSize(7);
        assertThat(admitted(limit, 3)).hasSize(1);
        first.get(0).leave();
        first.get(1).leave();
        assertThat(admitted(limit, 1)).isEmpty();
        assertThat(admitted(limit, 4)).hasSize(2);
    }

    /** A peer can ask for connections beyond its share as fast as it likes. */
    @Test
    void refusedConnectionsDoNotCostALookAtEachOther() {
        ConnectionLimit limit = new ConnectionLimit(1024, Duration.ofHours(1), said -> {});
        List<IdleOccupant> all = new ArrayList<>();
        for (int i = 0; i < 896; i++) {
            all.add(IdleOccupant.admitted(limit, peer(1)));
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(limit.admit(peer(1))).isEmpty();
        }
        for (int host = 2; limit.taken() < 1024; host++) {
            while (limit.admit(peer(host)).isPresent()) {
                assertThat(limit.taken()).isLessThanOrEqualTo(1024);
            }
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(limit.admit(peer(250))).isEmpty();
        }
        assertThat(all.stream().mapToInt(occupant -> occupant.looks).sum()).isLessThan(10 * 896);
    }

    @Test
    void aConnectionThatIsIdleLongEnoughLaterIsReplacedThen() throws Exception {
        Duration idle = Duration.ofMillis(50);
        ConnectionLimit limit = new ConnectionLimit(1, idle, said -> {});
        IdleOccupant first = IdleOccupant.admitted(limit, peer(1));
        first.busy = true;
        assertThat(limit.admit(peer(1))).isEmpty();
        assertThat(limit.admit(peer(2))).isEmpty();
        first.busy = false;

        Thread.sleep(idle.multipliedBy(2).toMillis());
        assertThat(limit.admit(peer(2))).isPresent();
        assertThat(first.closed).isTrue();
    }

    @Test
    void anyAddressMayHaveTheLastConnections() {
        assertThat(admitted(new ConnectionLimit(7), 1)).hasSize(7);
    }

    /** Takes as many places as an address may have. */
    private static List<ConnectionLimit.Place> admitted(ConnectionLimit limit, int host) {
        List<ConnectionLimit.Place> places = new ArrayList<>();
        limit.admit(peer(host)).ifPresent(places::add);
        while (places.size() > 0 && limit.admit(peer(host)).map(places::add).orElse(false)) {
            assertThat(places).hasSizeLessThanOrEqualTo(limit.most());
        }
        return places;
    }

    /** Takes all places, each for another address, and fails to get one more. */
    private static void fill(ConnectionLimit limit, Deque<ConnectionLimit.Place> places) {
        for (int host = 100; places.size() < 10; host++) {
            places.push(limit.admit(peer(host + places.size())).orElseThrow());
        }
        assertThat(limit.admit(peer(99))).isEmpty();
    }

    private static RpcServer server(String scheme, int connections) throws RpcException {
        return server(scheme, connections, EchoProgram.service());
    }

    private static RpcServer server(String scheme, int connections, RpcService service) throws RpcException {
        return Loopback.builder(scheme, service)
                .maxConnections(connections)
                .closeIdleAfter(Duration.ZERO)
                .closeTimeout(Duration.ofMillis(50))
                .start();
    }

    /** A connection that has been idle since it was made, before all later ones. */
    private static final class IdleOccupant implements ConnectionLimit.Occupant {
        private final long since = System.nanoTime();
        private boolean closed;
        private boolean busy;
        private int looks;

        static IdleOccupant admitted(ConnectionLimit limit, InetSocketAddress peer) {
            IdleOccupant occupant = new IdleOccupant();
            limit.admit(peer).orElseThrow().occupy(occupant);
            return occupant;
        }

        @Override
        public long idleNanos() {
            looks++;
            return busy ? 0 : System.nanoTime() - since;
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public CompletionStage<Void> closed() {
            return new CompletableFuture<>();
        }
    }

    private static InetSocketAddress peer(int host) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) host}), 1);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /**
     * Makes a connection and a call. The client gets the reply a little before the server regards the connection as
     * idle; until then the server refuses another one.
     */
    private static RpcConnection letIn(URI address) throws Exception {
        while (true) {
            try {
                RpcConnection connection = Rpc.connect(address);
                try {
                    echo(connection);
                    return connection;
                } catch (RpcException notYet) {
                    connection.close();
                    throw notYet;
                }
            } catch (RpcException notYet) {
                assertThat(notYet.kind()).isIn(RpcException.Kind.NOT_CONNECTED, RpcException.Kind.DISCONNECTED);
            }
        }
    }

    private static void connectAndEcho(URI address) throws Exception {
        try (RpcConnection connection = Rpc.connect(address)) {
            echo(connection);
        }
    }

    private static void echo(RpcConnection connection) throws Exception {
        assertThat(EchoProgram.echo(connection, 42)).isEqualTo(42);
    }
}
