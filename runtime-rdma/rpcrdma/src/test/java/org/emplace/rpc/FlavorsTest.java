// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.Loopback.address;
import static org.emplace.rpc.Loopback.connect;
import static org.emplace.rpc.Loopback.serve;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Principal;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.AuthNone;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.rpc.auth.ClientAuth;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.ServerAuth;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services that select authentication flavors, with a flavor that is not part of the runtime. */
@Timeout(60)
final class FlavorsTest {
    private static final Keyed ALICE = new Keyed("alice", "a key", "a key");
    private static final AuthSys ROOT = new AuthSys(1, XdrString.of("host"), 0, 0, XdrUnsignedInts.of());

    private final Queue<Principal> callers = new ConcurrentLinkedQueue<>();
    private final RpcService service = EchoProgram.service((value, call) -> {
        callers.add(call.caller());
        return CompletableFuture.completedFuture(value);
    });

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void messagesOfAllFormsAreAcceptedWithTheRightKey(String scheme) throws Exception {
        try (RpcServer server = serve(scheme, service.withFlavors(ALICE));
                RpcConnection client = connect(scheme, server)) {
            assertThat(echo(client, ALICE)).isEqualTo(7);
            Payload mirrored = client.call(
                            EchoProgram.MIRROR,
                            Payload.of(EchoProgram.pattern(100_000)),
                            Destinations.none(),
                            with(ALICE).withUnboundedReplySize(200_000))
                    .await();

            assertThat(mirrored.buffer()).isEqualTo(EchoProgram.pattern(100_000));
            assertThat(callers).extracting(Principal::getName).containsExactly("alice");
            // The reply to a call that fails after authentication also has a verifier.
            assertFails(() -> call(client, EchoProgram.UNSERVED, ALICE), Kind.PROCEDURE_UNAVAILABLE);
            assertFails(() -> call(client, EchoProgram.THROW, ALICE), Kind.SYSTEM_ERROR);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void callWithTheWrongKeyIsRejectedAndNotRun(String scheme) throws Exception {
        try (RpcServer server = serve(scheme, service.withFlavors(ALICE));
                RpcConnection client = connect(scheme, server)) {
            assertRefused(client, EchoProgram.ECHO, new Keyed("alice", "another key", "a key"), "AUTH_BADVERF");
            assertRefused(client, EchoProgram.NULL, new Keyed("alice", "another key", "a key"), "AUTH_BADVERF");
            assertRefused(client, EchoProgram.ECHO, new Keyed("bob", "a key", "a key"), "AUTH_REJECTEDCRED");

            assertThat(callers).isEmpty();
            assertThat(echo(client, ALICE)).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void replyWithTheWrongKeyFailsTheCall(String scheme) throws Exception {
        try (RpcServer server = serve(scheme, service.withFlavors(new Keyed("alice", "a key", "another key")));
                RpcConnection client = connect(scheme, server)) {
            assertFails(() -> echo(client, ALICE), Kind.BAD_VERIFIER)
                    .hasMessageContaining("the reply's verifier is not valid: it was made by another key");
            assertFails(() -> call(client, EchoProgram.UNSERVED, ALICE), Kind.BAD_VERIFIER);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void clientThatCannotAuthenticateSendsNothing(String scheme) throws Exception {
        ClientAuth expired = () -> {
            throw new AuthException(AuthException.REJECTED_CREDENTIAL, "the ticket has expired");
        };
        try (RpcServer server = serve(scheme, service);
                RpcConnection client = connect(scheme, server)) {
            assertFails(() -> echo(client, expired), Kind.AUTHENTICATION)
                    .hasMessageContaining("cannot be authenticated: the ticket has expired");
            assertThat(echo(client, AuthNone.INSTANCE)).isEqualTo(7);
        }
    }

    @Test
    void eachProgramAcceptsItsOwnFlavors() throws Exception {
        AtomicInteger others = new AtomicInteger();
        Procedure<Integer, Integer> other = ofAnotherProgram(EchoProgram.ECHO);
        RpcService sysOnly = RpcService.builder(other.program())
                .handle(other, (value, call) -> others.incrementAndGet())
                .build()
                .withFlavors(AuthSys.SERVER);
        try (RpcServer server = Loopback.builder(service.withFlavors(ALICE))
                        .service(sysOnly)
                        .start();
                RpcConnection client = connect("tcp", server)) {
            assertRefused(client, other, AuthNone.INSTANCE, "AUTH_TOOWEAK");
            assertRefused(client, other, ALICE, "AUTH_REJECTEDCRED");
            assertRefused(client, other, new RawAuth(1, 8), "AUTH_BADCRED");
            assertRefused(client, other, new RawAuth(1, 20).withVerifier(1, 20), "AUTH_BADVERF");
            assertThat(others).hasValue(0);
            assertThat(call(client, other, ROOT)).isEqualTo(1);

            assertRefused(client, EchoProgram.ECHO, AuthNone.INSTANCE, "AUTH_TOOWEAK");
            assertRefused(client, EchoProgram.ECHO, ROOT, "AUTH_TOOWEAK");
            assertRefused(client, EchoProgram.ECHO, new RawAuth(6, 20), "AUTH_REJECTEDCRED");
            assertRefused(client, EchoProgram.ECHO, new RawAuth(-1, 0), "AUTH_REJECTEDCRED");
            assertThat(callers).isEmpty();
            assertThat(echo(client, ALICE)).isEqualTo(7);
        }
    }

    /** Clients use procedure 0 to check whether a server responds. */
    @Test
    void onlyProcedureZeroIsAnsweredToEveryCaller() throws Exception {
        try (RpcServer server = serve("tcp", service.withFlavors(ALICE));
                RpcConnection client = connect("tcp", server)) {
            call(client, EchoProgram.NULL, AuthNone.INSTANCE);

            assertRefused(client, EchoProgram.NULL, ROOT, "AUTH_TOOWEAK");
            assertRefused(client, EchoProgram.UNSERVED, AuthNone.INSTANCE, "AUTH_TOOWEAK");
        }
    }

    @Test
    void serviceThatAcceptsOnlyAuthNoneRejectsOthers() throws Exception {
        try (RpcServer server = serve("tcp", service.withFlavors(AuthNone.INSTANCE));
                RpcConnection client = connect("tcp", server)) {
            assertRefused(client, EchoProgram.ECHO, ROOT, "AUTH_REJECTEDCRED");
            assertThat(callers).isEmpty();
        }
    }

    @Test
    void callOnWhichAFlavorFailsIsDenied() throws Exception {
        ServerAuth broken = new RawFlavor(AuthNone.FLAVOR, () -> {
            throw new IllegalStateException("as the test wants it");
        });
        try (RpcServer server = serve("tcp", service.withFlavors(broken));
                RpcConnection client = connect("tcp", server)) {
            assertRefused(client, EchoProgram.ECHO, AuthNone.INSTANCE, "AUTH_FAILED");
            assertThat(callers).isEmpty();
        }
    }

    @Test
    @SuppressWarnings("NullAway") // the error to be tested
    void callForWhichAFlavorReturnsNoCallerIsDenied() throws Exception {
        ServerAuth careless = new RawFlavor(AuthNone.FLAVOR, () -> () -> null);
        try (RpcServer server = serve("tcp", service.withFlavors(careless));
                RpcConnection client = connect("tcp", server)) {
            assertRefused(client, EchoProgram.ECHO, AuthNone.INSTANCE, "AUTH_FAILED");
        }
    }

    /** The call waits for a credit, so no peer knows its verifier. */
    @Test
    void replyToACallThatHasNotBeenSentIsDropped() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RpcConnection client = Rpc.connect(
                        URI.create("tcp://127.0.0.1:" + server.getLocalPort()),
                        ConnectionOptions.DEFAULT.withCredits(1));
                Socket peer = server.accept()) {
            peer.setSoTimeout(20_000);
            RpcCall<Integer> sent = client.call(EchoProgram.ECHO, 7, Destinations.none(), with(ALICE));
            RpcCall<Integer> waiting = client.call(EchoProgram.ECHO, 7, Destinations.none(), with(ALICE));
            DataInputStream calls = new DataInputStream(peer.getInputStream());
            int xid = xidOfNext(calls);

            forgeReply(peer, xid + 1);
            forgeReply(peer, xid);

            assertFails(sent::await, Kind.BAD_VERIFIER);
            assertThat(xidOfNext(calls)).isEqualTo(xid + 1);
            assertThat(waiting.completion().toCompletableFuture()).isNotDone();
        }
    }

    private static int xidOfNext(DataInputStream calls) throws IOException {
        int length = calls.readInt() & Integer.MAX_VALUE;
        int xid = calls.readInt();
        calls.skipNBytes(length - Integer.BYTES);
        return xid;
    }

    /** REPLY, MSG_ACCEPTED, a verifier of AUTH_NONE, SUCCESS and a result. */
    private static void forgeReply(Socket peer, int xid) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(32);
        for (int word : new int[] {28 | Integer.MIN_VALUE, xid, 1, 0, 0, 0, 0, 7}) {
            record.putInt(word);
        }
        peer.getOutputStream().write(record.array());
    }

    /** 8192 bytes are inline: 28 of them are the transport's header, or 72 with a Write chunk and a Reply chunk. */
    @Test
    void formsOfMessagesDependOnTheirCredentialsAndVerifiers() throws Exception {
        Queue<CallReport> reports = new ConcurrentLinkedQueue<>();
        ServerAuth any = new RawFlavor(77, () -> () -> AuthNone.INSTANCE);
        try (RpcServer server = serve("rdma", service.withFlavors(any));
                RpcConnection client =
                        Rpc.connect(address("rdma", server), ConnectionOptions.DEFAULT.withObserver(reports::add))) {
            int largest = 8192 - 72 - 40 - 4;
            Payload argument = Payload.of(EchoProgram.pattern(largest));
            RawAuth shortest = new RawAuth(77, 0);
            for (RawAuth auth : List.of(shortest, new RawAuth(77, 4), shortest.withVerifier(77, 4))) {
                client.call(EchoProgram.MIRROR, argument, Destinations.none(), with(auth))
                        .await();
            }
            assertThat(reports).extracting(CallReport::readChunkBytes).containsExactly(0L, (long) largest, (long)
                    largest);
            reports.clear();

            int largestResult = 8192 - 28 - 24;
            for (RawAuth auth : List.of(shortest, shortest.withReplyVerifierBound(4))) {
                client.call(EchoProgram.ECHO, 7, Destinations.none(), with(auth).withUnboundedReplySize(largestResult))
                        .await();
            }
            assertThat(reports).extracting(CallReport::replyChunkBytes).containsExactly(0L, 28L);
        }
    }

    private void assertRefused(
            RpcConnection client, Procedure<Integer, Integer> procedure, ClientAuth auth, String status) {
        assertFails(() -> call(client, procedure, auth), Kind.AUTHENTICATION).hasMessageContaining(status);
    }

    private static int echo(RpcConnection client, ClientAuth auth) throws RpcException, InterruptedException {
        return call(client, EchoProgram.ECHO, auth);
    }

    private static int call(RpcConnection client, Procedure<Integer, Integer> procedure, ClientAuth auth)
            throws RpcException, InterruptedException {
        return client.call(procedure, 7, Destinations.none(), with(auth)).await();
    }

    private static CallOptions with(ClientAuth auth) {
        return CallOptions.DEFAULT.withAuth(auth);
    }

    private static Procedure<Integer, Integer> ofAnotherProgram(Procedure<Integer, Integer> like) {
        return Procedure.of(
                RpcProgram.of("OTHER", 0x2000_0099L, 1),
                like.number(),
                "OTHER",
                like.arguments(),
                like.results(),
                like.binding());
    }

    /**
     * A flavor with a name as credential and verifiers in both directions: a keyed checksum over the call's header,
     * including xid and name.
     *
     * @param callKey the key for calls
     * @param replyKey the key for replies
     */
    private record Keyed(String name, String callKey, String replyKey) implements ClientAuth, ServerAuth {
        private static final int FLAVOR = 0x4000_0001;

        private OpaqueAuth credential() {
            return new OpaqueAuth(FLAVOR, XdrOpaque.ofUtf8(name));
        }

        private static OpaqueAuth checksum(String key, ByteBuffer header) {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(XdrOpaque.ofUtf8(key).bytes(), "HmacSHA256"));
                mac.update(header);
                return new OpaqueAuth(FLAVOR, XdrOpaque.of(mac.doFinal()));
            } catch (GeneralSecurityException unavailable) {
                throw new AssertionError(unavailable);
            }
        }

        private static boolean isSame(OpaqueAuth one, OpaqueAuth other) {
            return one.flavor() == other.flavor()
                    && MessageDigest.isEqual(one.body().bytes(), other.body().bytes());
        }

        @Override
        public ClientAuth.Exchange newExchange() {
            return new Call(this);
        }

        @Override
        public int flavor() {
            return FLAVOR;
        }

        @Override
        public ServerAuth.Exchange accept(OpaqueAuth credential, OpaqueAuth verifier, Supplier<ByteBuffer> header)
                throws AuthException {
            if (!credential.equals(credential())) {
                throw new AuthException(AuthException.REJECTED_CREDENTIAL, "no caller of this name is known");
            }
            if (!isSame(verifier, checksum(callKey, header.get()))) {
                throw new AuthException(AuthException.BAD_VERIFIER, "it was made by another key");
            }
            OpaqueAuth reply = checksum(replyKey, header.get());
            return new ServerAuth.Exchange() {
                @Override
                public Principal caller() {
                    return () -> name;
                }

                @Override
                public OpaqueAuth replyVerifier() {
                    return reply;
                }
            };
        }
    }

    private static final class Call implements ClientAuth.Exchange {
        private final Keyed keyed;
        private OpaqueAuth expected = OpaqueAuth.NONE;

        Call(Keyed keyed) {
            this.keyed = keyed;
        }

        @Override
        public OpaqueAuth credential() {
            return keyed.credential();
        }

        @Override
        public OpaqueAuth verifier(Supplier<ByteBuffer> header) {
            expected = Keyed.checksum(keyed.replyKey(), header.get());
            return Keyed.checksum(keyed.callKey(), header.get());
        }

        @Override
        public int replyVerifierBound() {
            return 32;
        }

        @Override
        public void check(OpaqueAuth verifier) throws AuthException {
            if (!Keyed.isSame(verifier, expected)) {
                throw new AuthException(AuthException.INVALID_REPLY, "it was made by another key");
            }
        }
    }
}
