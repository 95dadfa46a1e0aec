// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.Loopback.connect;
import static org.emplace.rpc.Loopback.serve;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.DiscardedCallException;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.ServerAuth;
import org.emplace.rpc.auth.gss.GssCaller;
import org.emplace.rpc.auth.gss.GssClient;
import org.emplace.rpc.auth.gss.GssCredentials;
import org.emplace.rpc.auth.gss.GssServer;
import org.emplace.rpc.auth.gss.GssService;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RPCSEC_GSS with Kerberos 5 at both ends, with a key distribution center of the test's own. */
@Timeout(60)
final class GssTest {
    private static final Set<GssService> ALL = EnumSet.allOf(GssService.class);

    private static final CallOptions SOON = Loopback.OPTIONS.withTimeout(Duration.ofMillis(300));

    @TempDir
    private static Path directory;

    private static TestRealm realm;

    private final Queue<Object> callers = new ConcurrentLinkedQueue<>();
    private final RpcService program = EchoProgram.service((value, call) -> {
        callers.add(call.caller());
        return CompletableFuture.completedFuture(value);
    });

    @BeforeAll
    static void startRealm() throws Exception {
        realm = new TestRealm(directory);
    }

    @AfterAll
    static void stopRealm() throws Exception {
        realm.close();
    }

    static Stream<Arguments> transportsAndServices() {
        return Stream.of("tcp", "rdma")
                .flatMap(scheme -> Stream.of(GssService.values()).map(service -> Arguments.of(scheme, service)));
    }

    private static GssServer accepting(Set<GssService> services) throws Exception {
        return new GssServer(realm.server(), services);
    }

    private static GssClient secured(RpcClient client, String user, GssService service) throws Exception {
        return new GssClient(client, TestRealm.SERVICE, realm.user(user), service);
    }

    @ParameterizedTest
    @MethodSource("transportsAndServices")
    void handlersKnowWhoCallsAndHowItIsProtected(String scheme, GssService service) throws Exception {
        try (RpcServer server = serve(scheme, program.withFlavors(accepting(ALL)));
                GssClient client = secured(connect(scheme, server), "ada", service)) {
            assertThat(EchoProgram.echo(client, 7)).isEqualTo(7);
            assertThat(EchoProgram.echo(client, 8)).isEqualTo(8);

            assertThat(callers)
                    .containsExactly(
                            new GssCaller("ada@EXAMPLE.COM", service), new GssCaller("ada@EXAMPLE.COM", service));
        }
    }

    @ParameterizedTest
    @MethodSource("transportsAndServices")
    void payloadsOfEachLengthArriveInTheirOwnBuffers(String scheme, GssService service) throws Exception {
        try (RpcServer server = serve(scheme, program.withFlavors(accepting(ALL)));
                GssClient client = secured(connect(scheme, server), "ada", service)) {
            for (int length : new int[] {0, 1, 1000, 4096, 100_001, 1 << 20}) {
                ByteBuffer destination = ByteBuffer.allocateDirect(length + 8);
                Payload mirrored = client.call(
                                EchoProgram.MIRROR,
                                Payload.of(EchoProgram.pattern(length)),
                                Destinations.of(Destination.into(destination)),
                                Loopback.OPTIONS.withUnboundedReplySize(2 << 20))
                        .await();

                assertThat(mirrored.buffer()).isEqualTo(EchoProgram.pattern(length));
                assertThat(destination.slice(0, length)).isEqualTo(EchoProgram.pattern(length));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transportsAndServices")
    void callsInFlightShareAContext(String scheme, GssService service) throws Exception {
        GssServer flavor = accepting(ALL);
        try (RpcServer server = serve(scheme, program.withFlavors(flavor));
                GssClient client = secured(connect(scheme, server), "ada", service)) {
            var calls = IntStream.range(0, 500)
                    .mapToObj(i -> client.call(EchoProgram.ECHO, i, Destinations.none(), Loopback.OPTIONS))
                    .toList();
            for (int i = 0; i < calls.size(); i++) {
                assertThat(calls.get(i).await()).isEqualTo(i);
            }

            assertThat(flavor.contexts()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("transportsAndServices")
    void failuresOfCallsAreThoseOfOtherFlavors(String scheme, GssService service) throws Exception {
        try (RpcServer server = serve(scheme, program.withFlavors(accepting(ALL)));
                GssClient client = secured(connect(scheme, server), "ada", service)) {
            assertFails(() -> call(client, EchoProgram.UNSERVED), Kind.PROCEDURE_UNAVAILABLE);
            assertFails(() -> call(client, EchoProgram.THROW), Kind.SYSTEM_ERROR);
            assertThat(call(client, EchoProgram.NULL)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void serviceThatIsNotAcceptedIsTooWeak(String scheme) throws Exception {
        try (RpcServer server = serve(scheme, program.withFlavors(accepting(Set.of(GssService.PRIVACY))));
                GssClient weak = secured(connect(scheme, server), "ada", GssService.INTEGRITY);
                GssClient strong = secured(connect(scheme, server), "ada", GssService.PRIVACY)) {
            assertFails(() -> EchoProgram.echo(weak, 7), Kind.AUTHENTICATION).hasMessageContaining("AUTH_TOOWEAK");
            assertThat(EchoProgram.echo(strong, 7)).isEqualTo(7);
            assertThat(callers).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void contextThatTheServerHasForgottenIsMadeAgain(String scheme) throws Exception {
        Forgetful flavor = new Forgetful();
        try (RpcServer server = serve(scheme, program.withFlavors(flavor));
                GssClient client = secured(connect(scheme, server), "ada", GssService.INTEGRITY)) {
            assertThat(EchoProgram.echo(client, 7)).isEqualTo(7);
            flavor.latest = accepting(ALL);

            assertThat(EchoProgram.echo(client, 8)).isEqualTo(8);
            assertThat(callers).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void callThatIsResentToAServerThatHasRestartedGetsAnotherContext(String scheme) throws Exception {
        Forgetful flavor = new Forgetful();
        CountDownLatch begun = new CountDownLatch(1);
        RpcService holding = EchoProgram.service((value, call) -> {
            boolean isFirst = callers.isEmpty();
            callers.add(call.caller());
            begun.countDown();
            return isFirst ? new CompletableFuture<>() : CompletableFuture.completedFuture(value);
        });
        try (RpcServer server = serve(scheme, holding.withFlavors(flavor));
                CuttingProxy proxy = new CuttingProxy(server.addresses().get(0).getPort());
                GssClient client = secured(Rpc.client(proxy.address(scheme)), "ada", GssService.PRIVACY)) {
            RpcCall<Integer> call = client.call(EchoProgram.ECHO, 7, Destinations.none(), Loopback.OPTIONS);
            begun.await();
            flavor.latest = accepting(ALL);
            proxy.cut();

            assertThat(call.await()).isEqualTo(7);
            assertThat(callers).hasSize(2);
        }
    }

    /** Loses its contexts as a server that restarts does. */
    private static final class Forgetful implements ServerAuth {
        private volatile GssServer latest;

        Forgetful() throws Exception {
            latest = accepting(ALL);
        }

        @Override
        public int flavor() {
            return latest.flavor();
        }

        @Override
        public Exchange accept(OpaqueAuth credential, OpaqueAuth verifier, Supplier<ByteBuffer> header)
                throws AuthException, DiscardedCallException {
            return latest.accept(credential, verifier, header);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void otherUserHasAnotherContext(String scheme) throws Exception {
        GssServer flavor = accepting(ALL);
        try (RpcServer server = serve(scheme, program.withFlavors(flavor));
                RpcClient shared = connect(scheme, server);
                GssClient ada = secured(shared, "ada", GssService.NONE);
                GssClient bob = secured(shared, "bob", GssService.PRIVACY)) {
            EchoProgram.echo(ada, 7);
            EchoProgram.echo(bob, 7);

            assertThat(callers)
                    .containsExactly(
                            new GssCaller("ada@EXAMPLE.COM", GssService.NONE),
                            new GssCaller("bob@EXAMPLE.COM", GssService.PRIVACY));
            assertThat(flavor.contexts()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void clientWithoutATicketSaysWhatToDo(String scheme) throws Exception {
        GssCredentials none = GssCredentials.keytab("nobody@EXAMPLE.COM", directory.resolve("no.keytab"));
        try (RpcServer server = serve(scheme, program.withFlavors(accepting(ALL)));
                GssClient client = new GssClient(connect(scheme, server), TestRealm.SERVICE, none, GssService.NONE)) {
            assertFails(() -> EchoProgram.echo(client, 7), Kind.AUTHENTICATION)
                    .hasMessageContaining("no Kerberos credentials")
                    .hasMessageContaining("run kinit, or name a keytab");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void serverThatTheRealmDoesNotKnowIsNamed(String scheme) throws Exception {
        try (RpcServer server = serve(scheme, program.withFlavors(accepting(ALL)));
                GssClient client = new GssClient(
                        connect(scheme, server), "nfs@elsewhere.example.com", realm.user("ada"), GssService.NONE)) {
            assertFails(() -> EchoProgram.echo(client, 7), Kind.AUTHENTICATION)
                    .hasMessageContaining("no ticket for nfs@elsewhere.example.com");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void clientThatClosesDestroysItsContext(String scheme) throws Exception {
        GssServer flavor = accepting(Set.of(GssService.PRIVACY));
        try (RpcServer server = serve(scheme, program.withFlavors(flavor))) {
            GssClient client = secured(connect(scheme, server), "ada", GssService.PRIVACY);
            EchoProgram.echo(client, 7);
            client.close();
            client.closed().toCompletableFuture().join();

            assertThat(flavor.contexts()).isZero();
        }
    }

    /** The creation of a context goes on for other calls. */
    @Test
    void aCallThatWaitsForAContextEndsByItsOwnTimeout() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                GssClient client = secured(
                        Rpc.connect(URI.create("tcp://127.0.0.1:" + silent.getLocalPort())), "ada", GssService.NONE)) {
            assertFails(() -> call(client, EchoProgram.ECHO, SOON), Kind.TIMED_OUT)
                    .hasMessageContaining("security context");
        }
    }

    /** Calls are held back while the first has no reply. */
    @Test
    void aCallThatTheWindowHoldsBackEndsByItsOwnTimeout() throws Exception {
        RpcService silent = EchoProgram.service((value, call) -> new CompletableFuture<>());
        try (RpcServer server = serve("tcp", silent.withFlavors(accepting(ALL)));
                GssClient client = secured(connect("tcp", server), "ada", GssService.NONE)) {
            // Calls that wait for the context begin in any order.
            client.call(EchoProgram.NULL, 0, Destinations.none(), Loopback.OPTIONS)
                    .await();
            for (int i = 0; i < 4096; i++) {
                client.call(EchoProgram.ECHO, i, Destinations.none(), Loopback.OPTIONS);
            }
            assertFails(() -> call(client, EchoProgram.ECHO, SOON), Kind.TIMED_OUT)
                    .hasMessageContaining("sequence window");
        }
    }

    private static Integer call(RpcConnection client, Procedure<Integer, Integer> procedure) throws Exception {
        return call(client, procedure, Loopback.OPTIONS);
    }

    private static Integer call(RpcConnection client, Procedure<Integer, Integer> procedure, CallOptions options)
            throws Exception {
        return client.call(procedure, 7, Destinations.none(), options).await();
    }

    /** Only a context that is at its end is made again: what else is refused would be refused again. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aRefusalForAnotherReasonMakesNoFurtherContext(String scheme) throws Exception {
        GssServer flavor = accepting(Set.of(GssService.PRIVACY));
        try (RpcServer server = serve(scheme, program.withFlavors(flavor));
                GssClient client = secured(connect(scheme, server), "ada", GssService.NONE)) {
            assertFails(() -> EchoProgram.echo(client, 1), Kind.AUTHENTICATION)
                    .hasMessageContaining("AUTH_TOOWEAK")
                    .hasRootCauseInstanceOf(AuthException.class);

            assertThat(flavor.contexts()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aClosedClientMakesNoCalls(String scheme) throws Exception {
        GssServer flavor = accepting(ALL);
        try (RpcServer server = serve(scheme, program.withFlavors(flavor))) {
            GssClient client = secured(connect(scheme, server), "ada", GssService.INTEGRITY);
            client.close();

            assertFails(() -> EchoProgram.echo(client, 1), Kind.DISCONNECTED)
                    .hasMessageContaining("closed by this side");
            assertThat(flavor.contexts()).isZero();
        }
    }

    @Test
    void aServerThatTheRealmDoesNotKnowIsNamed() throws Exception {
        try (RpcServer server = serve("tcp", program.withFlavors(accepting(ALL)));
                GssClient client = new GssClient(
                        connect("tcp", server), "nfs@elsewhere.example", realm.user("ada"), GssService.NONE)) {
            assertFails(() -> EchoProgram.echo(client, 1), Kind.AUTHENTICATION)
                    .hasMessageContaining("the realm does not know the server by this name")
                    .hasMessageContaining("nfs@elsewhere.example");
        }
    }

    /** A key begins at byte 44 of an entry of this principal. */
    @Test
    void aServerWhoseKeytabIsOldSaysSo() throws Exception {
        ByteBuffer keytab = ByteBuffer.wrap(Files.readAllBytes(realm.keytab()));
        for (int at = Short.BYTES; at < keytab.capacity(); at += Integer.BYTES + keytab.getInt(at)) {
            int key = at + Integer.BYTES + 44;
            keytab.put(key, (byte) (keytab.get(key) ^ 2));
        }
        Path old = Files.write(directory.resolve("old.keytab"), keytab.array());
        GssServer flavor = new GssServer(GssCredentials.acceptor(TestRealm.SERVER, old), ALL);
        try (RpcServer server = serve("tcp", program.withFlavors(flavor));
                GssClient client = secured(connect("tcp", server), "ada", GssService.NONE)) {
            assertFails(() -> EchoProgram.echo(client, 7), Kind.AUTHENTICATION)
                    .hasMessageContaining(
                            "refuses a security context with nfs@localhost: the server's keytab does not have the key of the ticket; make it anew");
        }
    }
}
