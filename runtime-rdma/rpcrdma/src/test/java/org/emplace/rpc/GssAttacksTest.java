// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.emplace.rpc.Failures.assertFails;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.gss.GssClient;
import org.emplace.rpc.auth.gss.GssCredentials;
import org.emplace.rpc.auth.gss.GssServer;
import org.emplace.rpc.auth.gss.GssService;
import org.emplace.rpc.auth.gss.wire.Constants;
import org.emplace.rpc.auth.gss.wire.RpcGssInitArg;
import org.emplace.rpc.auth.gss.wire.RpcGssInitRes;
import org.emplace.rpc.auth.gss.wire.RpcGssProcT;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A man in the middle of a connection that RPCSEC_GSS protects, and clients that flood a server with contexts. */
@Timeout(60)
final class GssAttacksTest {
    /** The words of a call's header before its credential: xid, type, RPC version, program, version, procedure. */
    private static final int PROCEDURE = 5 * Integer.BYTES;

    /** The most contexts of one address. */
    private static final int OF_ADDRESS = 10;

    /** The bytes of a context's handle. */
    private static final int HANDLE = 16;

    private static final int ACCEPT_VERIFIER = 3 * Integer.BYTES;

    @TempDir
    private static Path directory;

    private static TestRealm realm;

    private final Queue<Object> run = new ConcurrentLinkedQueue<>();
    private GssServer flavor;
    private RpcServer server;

    @BeforeAll
    static void startRealm() throws Exception {
        realm = new TestRealm(directory);
    }

    @AfterAll
    static void stopRealm() throws Exception {
        realm.close();
    }

    @BeforeEach
    void startServer() throws Exception {
        flavor = new GssServer(realm.server(), EnumSet.allOf(GssService.class), 8 * OF_ADDRESS);
        RpcService program = EchoProgram.service((value, call) -> {
            run.add(value);
            return CompletableFuture.completedFuture(value);
        });
        server = Loopback.serve(program.withFlavors(flavor));
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(GssService.class)
    void aReplayedCallIsNotRunAndItsConnectionIsClosed(GssService service) throws Exception {
        try (Middle middle = new Middle();
                GssClient client = secured(middle, service)) {
            EchoProgram.echo(client, 7);

            byte[] call = middle.calls.get(1);
            try (Socket attacker = new Socket(InetAddress.getLoopbackAddress(), port())) {
                Middle.send(attacker, call);
                assertThat(attacker.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(run).containsExactly(7);
            assertThat(EchoProgram.echo(client, 8)).isEqualTo(8);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY"})
    void aChangedBodyIsNotRun(GssService service) throws Exception {
        try (Middle middle = new Middle();
                GssClient client = secured(middle, service)) {
            middle.changeCalls((number, call) -> call[call.length - 12] ^= number == 2 ? (byte) 1 : 0);
            EchoProgram.echo(client, 7);

            assertFails(() -> EchoProgram.echo(client, 8), Kind.GARBAGE_ARGS);
            assertThat(EchoProgram.echo(client, 9)).isEqualTo(9);
            assertThat(run).containsExactly(7, 9);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY"})
    void theBodyOfAnotherCallIsNotRun(GssService service) throws Exception {
        try (Middle middle = new Middle();
                GssClient client = secured(middle, service)) {
            middle.changeCalls((number, call) -> {
                if (number == 2) {
                    byte[] earlier = middle.calls.get(1);
                    int body = bodyOf(call);
                    System.arraycopy(earlier, body, call, body, call.length - body);
                }
            });
            EchoProgram.echo(client, 7);

            assertFails(() -> EchoProgram.echo(client, 8), Kind.GARBAGE_ARGS);
            assertThat(run).containsExactly(7);
        }
    }

    /** Header, credential and verifier are as long in all calls of one context. */
    private static int bodyOf(byte[] call) {
        int verifier = verifierOf(call);
        return verifier + 2 * Integer.BYTES + padded(ByteBuffer.wrap(call).getInt(verifier + Integer.BYTES));
    }

    private static int verifierOf(byte[] call) {
        return PROCEDURE + 3 * Integer.BYTES + padded(ByteBuffer.wrap(call).getInt(PROCEDURE + 2 * Integer.BYTES));
    }

    private static int padded(int length) {
        return (length + 3) & ~3;
    }

    @ParameterizedTest
    @EnumSource(GssService.class)
    void aCallWhoseHeaderWasChangedIsRefused(GssService service) throws Exception {
        try (Middle middle = new Middle();
                GssClient client = secured(middle, service)) {
            EchoProgram.echo(client, 7);
            // COUNT in place of ECHO; contexts are created by procedure 0.
            middle.changeCalls((number, call) -> call[PROCEDURE + 3] += call[PROCEDURE + 3] == 0 ? 0 : (byte) 5);

            assertFails(() -> EchoProgram.echo(client, 8), Kind.AUTHENTICATION)
                    .hasMessageContaining("RPCSEC_GSS_CREDPROBLEM");
            assertThat(run).containsExactly(7);
        }
    }

    @ParameterizedTest
    @EnumSource(GssService.class)
    void aReplyWithAnotherVerifierFailsItsCall(GssService service) throws Exception {
        try (Middle middle = new Middle();
                GssClient client = secured(middle, service)) {
            middle.changeReplies((number, reply) -> reply[ACCEPT_VERIFIER + 30] ^= number == 2 ? (byte) 1 : 0);
            EchoProgram.echo(client, 7);

            assertFails(() -> EchoProgram.echo(client, 8), Kind.BAD_VERIFIER);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY"})
    void changedResultsFailTheirCall(GssService service) throws Exception {
        try (Middle middle = new Middle();
                GssClient client = secured(middle, service)) {
            middle.changeReplies((number, reply) -> reply[reply.length - 12] ^= number == 2 ? (byte) 1 : 0);
            EchoProgram.echo(client, 7);

            assertFails(() -> EchoProgram.echo(client, 8), Kind.BAD_REPLY);
        }
    }

    /** The second of these calls overtakes the first. */
    @ParameterizedTest
    @EnumSource(GssService.class)
    void callsThatOvertakeEachOtherWithinTheWindowRun(GssService service) throws Exception {
        try (Middle middle = new Middle();
                GssClient client = secured(middle, service)) {
            EchoProgram.echo(client, 7);
            middle.replaceCalls((number, call) -> switch (number) {
                case 2 -> List.of();
                case 3 -> List.of(call, middle.calls.get(2));
                default -> List.of(call);
            });
            RpcCall<Integer> slow = client.call(EchoProgram.ECHO, 8, Destinations.none(), Loopback.OPTIONS);
            RpcCall<Integer> fast = client.call(EchoProgram.ECHO, 9, Destinations.none(), Loopback.OPTIONS);
            assertThat(slow.await()).isEqualTo(8);
            assertThat(fast.await()).isEqualTo(9);
            assertThat(run).containsExactlyInAnyOrder(7, 8, 9);
        }
    }

    @Test
    void aCallThatIsHeldBackUntilItsNumberIsTooOldIsNotRun() throws Exception {
        try (Middle middle = new Middle();
                GssClient client = secured(middle, GssService.NONE)) {
            EchoProgram.echo(client, 7);
            middle.replaceCalls((number, call) -> number == 2 ? List.of() : List.of(call));
            RpcCall<Integer> lost = client.call(EchoProgram.ECHO, -1, Destinations.none(), Loopback.OPTIONS);
            await().until(() -> middle.calls.size() == 3);
            lost.cancel();
            assertFails(lost::await, Kind.CANCELLED);
            List<RpcCall<Integer>> later = new ArrayList<>();
            for (int i = 0; i < 4096; i++) {
                later.add(client.call(EchoProgram.ECHO, i, Destinations.none(), Loopback.OPTIONS));
            }
            for (RpcCall<Integer> each : later) {
                each.await();
            }
            try (Socket attacker = new Socket(InetAddress.getLoopbackAddress(), port())) {
                Middle.send(attacker, middle.calls.get(2));
                assertThat(attacker.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(run).hasSize(1 + 4096).doesNotContain(-1);
        }
    }

    @ParameterizedTest
    @EnumSource(GssService.class)
    void theVerifierOfAnotherCallIsRefused(GssService service) throws Exception {
        try (Middle middle = new Middle();
                GssClient client = secured(middle, service)) {
            EchoProgram.echo(client, 7);
            middle.changeCalls((number, call) -> {
                if (call[PROCEDURE + 3] != 0) {
                    int length = bodyOf(call) - verifierOf(call);
                    System.arraycopy(middle.calls.get(1), verifierOf(call), call, verifierOf(call), length);
                }
            });
            assertFails(() -> EchoProgram.echo(client, 8), Kind.AUTHENTICATION)
                    .hasMessageContaining("RPCSEC_GSS_CREDPROBLEM");
            assertThat(run).containsExactly(7);
        }
    }

    /** A handle is the end of its credential. */
    @ParameterizedTest
    @EnumSource(GssService.class)
    void theContextOfAnotherClientIsRefused(GssService service) throws Exception {
        try (Middle ofAda = new Middle();
                Middle ofBob = new Middle();
                GssClient ada = secured(ofAda, service);
                GssClient bob = secured("bob", ofBob, service)) {
            EchoProgram.echo(bob, 7);
            byte[] handle = Arrays.copyOfRange(
                    ofBob.calls.get(1), verifierOf(ofBob.calls.get(1)) - HANDLE, verifierOf(ofBob.calls.get(1)));
            ofAda.changeCalls((number, call) -> {
                if (call[PROCEDURE + 3] != 0) {
                    System.arraycopy(handle, 0, call, verifierOf(call) - HANDLE, HANDLE);
                }
            });
            assertFails(() -> EchoProgram.echo(ada, 8), Kind.AUTHENTICATION)
                    .hasMessageContaining("RPCSEC_GSS_CREDPROBLEM");
            assertThat(EchoProgram.echo(bob, 9)).isEqualTo(9);
            assertThat(run).containsExactly(7, 9);
        }
    }

    @Test
    void aContextThatWasDestroyedIsRefused() throws Exception {
        try (Middle middle = new Middle()) {
            GssClient client = secured(middle, GssService.NONE);
            EchoProgram.echo(client, 7);
            client.close();
            client.closed().toCompletableFuture().join();
            assertThat(flavor.contexts()).isZero();
            try (Socket attacker = new Socket(InetAddress.getLoopbackAddress(), port())) {
                Middle.send(attacker, middle.calls.get(1));
                ByteBuffer reply = ByteBuffer.wrap(Middle.receive(new DataInputStream(attacker.getInputStream())));
                // xid, REPLY, MSG_DENIED, AUTH_ERROR, RPCSEC_GSS_CREDPROBLEM
                assertThat(reply.getInt(8)).isEqualTo(1);
                assertThat(reply.getInt(12)).isEqualTo(1);
                assertThat(reply.getInt(16)).isEqualTo(AuthException.CREDENTIAL_PROBLEM);
            }
            assertThat(run).containsExactly(7);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY"})
    void bodiesThatAreCutAreNotRead(GssService service) throws Exception {
        try (Middle middle = new Middle();
                GssClient client = secured(middle, service)) {
            EchoProgram.echo(client, 7);
            for (int cut : new int[] {4, 8, 20, 40}) {
                middle.replaceCalls((number, call) -> List.of(Arrays.copyOf(call, call.length - cut)));
                assertFails(() -> EchoProgram.echo(client, 8), Kind.GARBAGE_ARGS);
            }
            middle.replaceCalls((number, call) -> List.of(call));
            for (int cut : new int[] {4, 8, 20, 40}) {
                middle.replaceReplies((number, reply) -> List.of(Arrays.copyOf(reply, reply.length - cut)));
                assertFails(() -> EchoProgram.echo(client, 9), Kind.BAD_REPLY);
            }
            assertThat(run).containsExactly(7, 9, 9, 9, 9);
        }
    }

    /** With its own xid, as the attacker can read it. */
    @ParameterizedTest
    @EnumSource(GssService.class)
    void anotherCallsReplyFailsItsCall(GssService service) throws Exception {
        try (Middle middle = new Middle();
                GssClient client = secured(middle, service)) {
            EchoProgram.echo(client, 7);
            middle.changeReplies((number, reply) ->
                    System.arraycopy(middle.replies.get(1), Integer.BYTES, reply, Integer.BYTES, reply.length - 4));
            assertFails(() -> EchoProgram.echo(client, 8), Kind.BAD_VERIFIER);
        }
    }

    /** The reply's verifier is that of the call. */
    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY"})
    void theResultsOfAnotherCallFailTheirCall(GssService service) throws Exception {
        try (Middle middle = new Middle();
                GssClient client = secured(middle, service)) {
            EchoProgram.echo(client, 7);
            middle.changeReplies((number, reply) -> {
                int results = resultsOf(reply);
                System.arraycopy(middle.replies.get(1), results, reply, results, reply.length - results);
            });
            assertFails(() -> EchoProgram.echo(client, 8), Kind.BAD_REPLY);
        }
    }

    /** After the verifier and the status. */
    private static int resultsOf(byte[] reply) {
        int length = ByteBuffer.wrap(reply).getInt(ACCEPT_VERIFIER + Integer.BYTES);
        return ACCEPT_VERIFIER + 3 * Integer.BYTES + padded(length);
    }

    @Test
    void aTokenThatWasUsedCreatesNoOtherContext() throws Exception {
        try (Middle middle = new Middle();
                GssClient client = secured(middle, GssService.NONE)) {
            EchoProgram.echo(client, 7);
            byte[] creation = middle.calls.get(0);
            try (Socket attacker = new Socket(InetAddress.getLoopbackAddress(), port())) {
                DataInputStream replies = new DataInputStream(attacker.getInputStream());
                for (int i = 0; i < 3; i++) {
                    Middle.send(attacker, creation);
                    ByteBuffer reply = ByteBuffer.wrap(Middle.receive(replies));
                    int handle = resultsOf(reply.array());
                    assertThat(reply.getInt(handle))
                            .as("the length of the handle")
                            .isZero();
                    assertThat(reply.getInt(handle + Integer.BYTES))
                            .as("the major status")
                            .isNotZero();
                }
            }
            assertThat(flavor.contexts()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 4_000_000})
    void aTokenThatIsNoneCreatesNoContext(int length) throws Exception {
        try (RpcClient client = Loopback.connect(server)) {
            RpcGssInitRes answer = create(client, new byte[length]);

            assertThat(answer.gssMajor()).isNotZero();
            assertThat(answer.handle()).isEqualTo(XdrOpaque.EMPTY);
            assertThat(flavor.contexts()).isZero();
        }
    }

    private static RpcGssInitRes create(RpcClient client, byte[] token) throws Exception {
        XdrEncoder body = XdrEncoder.onHeap();
        body.writeInt(Constants.RPCSEC_GSS_VERS_1);
        RpcGssProcT.RPCSEC_GSS_INIT.encode(body);
        // Sequence number and service mean nothing here (RFC 2203 section 5.2.2).
        body.writeInts(77, 0);
        body.writeOpaque(XdrOpaque.EMPTY);
        OpaqueAuth credential = new OpaqueAuth(6, XdrOpaque.copyOf(body.finish().stream()));
        Procedure<RpcGssInitArg, RpcGssInitRes> procedure = Procedure.of(
                EchoProgram.PROGRAM,
                0,
                "INIT",
                XdrCodec.of(RpcGssInitArg::decode),
                XdrCodec.of(RpcGssInitRes::decode),
                ProcedureBinding.idempotent(argument -> ProcedureBinding.UNBOUNDED));
        return client.call(
                        procedure,
                        new RpcGssInitArg(XdrOpaque.of(token)),
                        Destinations.none(),
                        Loopback.OPTIONS.withAuth(new RawAuth(credential, OpaqueAuth.NONE, OpaqueAuth.MAX_BODY)))
                .await();
    }

    @Test
    void anAddressThatCreatesManyContextsLosesItsOwn() throws Exception {
        try (Middle middle = new Middle();
                GssClient first = secured(middle, GssService.NONE)) {
            EchoProgram.echo(first, 0);
            GssCredentials once = GssCredentials.of(realm.user("ada").subject());
            try (RpcClient shared = Loopback.connect(server)) {
                for (int i = 1; i <= OF_ADDRESS; i++) {
                    GssClient one = new GssClient(shared, TestRealm.SERVICE, once, GssService.NONE);
                    EchoProgram.echo(one, i);
                }
            }

            assertThat(flavor.contexts()).isEqualTo(OF_ADDRESS);
            // The one that was not used for longest is gone, so its client makes another.
            int calls = middle.calls.size();
            assertThat(EchoProgram.echo(first, 7)).isEqualTo(7);
            assertThat(middle.calls).hasSize(calls + 3);
            assertThat(flavor.contexts()).isEqualTo(OF_ADDRESS);
        }
    }

    private int port() {
        return server.addresses().get(0).getPort();
    }

    private static GssClient secured(Middle middle, GssService service) throws Exception {
        return secured("ada", middle, service);
    }

    private static GssClient secured(String user, Middle middle, GssService service) throws Exception {
        RpcClient client = Rpc.connect(URI.create("tcp://127.0.0.1:" + middle.port()));
        return new GssClient(client, TestRealm.SERVICE, realm.user(user), service);
    }

    /** Passes on the records of one connection, and may change them. */
    private final class Middle implements AutoCloseable {
        private static final int LAST = 0x8000_0000;

        private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final List<byte[]> calls = new CopyOnWriteArrayList<>();
        private final List<byte[]> replies = new CopyOnWriteArrayList<>();
        private volatile BiFunction<Integer, byte[], List<byte[]>> callChange = (number, record) -> List.of(record);
        private volatile BiFunction<Integer, byte[], List<byte[]>> replyChange = (number, record) -> List.of(record);

        Middle() throws IOException {
            new Thread(this::accept, "man in the middle").start();
        }

        int port() {
            return listener.getLocalPort();
        }

        /** @param change changes a call, of which it gets the number too: the context is created by number 0 */
        void changeCalls(BiConsumer<Integer, byte[]> change) {
            replaceCalls(changed(change));
        }

        void changeReplies(BiConsumer<Integer, byte[]> change) {
            replaceReplies(changed(change));
        }

        private static BiFunction<Integer, byte[], List<byte[]>> changed(BiConsumer<Integer, byte[]> change) {
            return (number, record) -> {
                change.accept(number, record);
                return List.of(record);
            };
        }

        /** @param change returns the records that are sent in place of a call */
        void replaceCalls(BiFunction<Integer, byte[], List<byte[]>> change) {
            callChange = change;
        }

        void replaceReplies(BiFunction<Integer, byte[], List<byte[]>> change) {
            replyChange = change;
        }

        private void accept() {
            try (Socket client = listener.accept();
                    Socket upstream = new Socket(InetAddress.getLoopbackAddress(), GssAttacksTest.this.port())) {
                Thread replies = new Thread(() -> passReplies(upstream, client), "replies");
                replies.start();
                DataInputStream in = new DataInputStream(client.getInputStream());
                for (int i = 0; true; i++) {
                    byte[] call = receive(in);
                    List<byte[]> changed = callChange.apply(i, call);
                    calls.add(call);
                    for (byte[] record : changed) {
                        send(upstream, record);
                    }
                }
            } catch (IOException over) {
                // One end has closed the connection.
            }
        }

        private void passReplies(Socket from, Socket to) {
            try {
                DataInputStream in = new DataInputStream(from.getInputStream());
                for (int i = 0; true; i++) {
                    byte[] reply = receive(in);
                    List<byte[]> changed = replyChange.apply(i, reply);
                    replies.add(reply);
                    for (byte[] record : changed) {
                        send(to, record);
                    }
                }
            } catch (IOException over) {
                // One end has closed the connection.
            }
        }

        private static byte[] receive(DataInputStream in) throws IOException {
            byte[] record = new byte[in.readInt() & ~LAST];
            in.readFully(record);
            return record;
        }

        static void send(Socket to, byte[] record) throws IOException {
            DataOutputStream out = new DataOutputStream(to.getOutputStream());
            out.writeInt(LAST | record.length);
            out.write(record);
            out.flush();
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}
