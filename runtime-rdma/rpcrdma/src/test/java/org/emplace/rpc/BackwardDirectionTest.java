// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.emplace.rpc.EchoProgram.echo;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.Loopback.address;
import static org.emplace.rpc.Loopback.connect;
import static org.emplace.rpc.Loopback.serve;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.transport.RpcTransport.Connection;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls from servers to clients, over each transport. */
@Timeout(60)
final class BackwardDirectionTest {
    private static final CallOptions OPTIONS = CallOptions.DEFAULT;

    /** An echo of this value enables calls to the client. Other echoes return what the client echoes. */
    private static final int PREPARED = 0;

    private static final RpcService NOTIFYING = EchoProgram.service((value, call) -> {
        if (value == PREPARED) {
            call.connection().enableBackwardCalls();
            return CompletableFuture.completedFuture(value);
        }
        return call.connection()
                .call(EchoProgram.ECHO, value, Destinations.none(), OPTIONS)
                .completion();
    });

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void serverCannotCallBeforeItIsEnabled(String scheme) throws Exception {
        CompletableFuture<ServerCall.Connection> accepted = new CompletableFuture<>();
        AtomicInteger served = new AtomicInteger();
        RpcService keeping = EchoProgram.service((value, call) -> {
            accepted.complete(call.connection());
            return CompletableFuture.completedFuture(value);
        });
        try (RpcServer server = serve(scheme, keeping);
                RpcClient client = connect(scheme, server)) {
            client.serve(EchoProgram.service(
                    (value, call) -> CompletableFuture.completedFuture(value + served.incrementAndGet())));
            echo(client, 1);
            ServerCall.Connection backwards = accepted.join();

            assertThatIllegalStateException()
                    .isThrownBy(() -> echo(backwards, 1))
                    .withMessageContaining("cannot call ECHO")
                    .withMessageContaining("enableBackwardCalls()");
            echo(client, 1);
            assertThat(served).hasValue(0);

            backwards.enableBackwardCalls();
            assertThat(echo(backwards, 10)).isEqualTo(11);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void initiatorHasNothingToEnable(String scheme) throws Exception {
        try (RpcServer server = serve(scheme, EchoProgram.service());
                RpcClient connection = connect(scheme, server);
                RpcClient client = Rpc.client(address(scheme, server))) {
            // The connections of a transport have both roles.
            assertThatIllegalStateException().isThrownBy(((ServerCall.Connection) connection)::enableBackwardCalls);
            assertThat(client).isNotInstanceOf(ServerCall.Connection.class);
        }
    }

    /**
     * Over TCP a client cannot tell what it grants: it handles that many calls at a time, and others wait at the
     * client.
     */
    @ParameterizedTest
    @CsvSource({"tcp, 5, 3, 3", "tcp, 3, 5, 3", "rdma, 5, 3, 3", "rdma, 3, 5, 3", "rdma, 1, 1, 1", "rdma, 40, 30, 30"})
    void backwardCreditsAreSeparateFromForwardOnes(String scheme, int asked, int granted, int atATime)
            throws Exception {
        int forwardCredits = 7;
        CompletableFuture<ServerCall.Connection> accepted = new CompletableFuture<>();
        Held atServer = new Held();
        Held atClient = new Held();
        RpcService holding = EchoProgram.service((value, call) -> {
            call.connection().enableBackwardCalls();
            accepted.complete(call.connection());
            return atServer.answer(value);
        });
        ConnectionOptions options = ConnectionOptions.DEFAULT.withCredits(forwardCredits);
        try (RpcServer server = Loopback.builder(scheme, holding)
                        .options(options.withBackwardCredits(asked))
                        .start();
                RpcClient client = Rpc.connect(address(scheme, server), options.withBackwardCredits(granted))) {
            client.serve(EchoProgram.service((value, call) -> atClient.answer(value)));
            echo(client, 1);

            atServer.hold();
            atClient.hold();
            List<RpcCall<Integer>> forward = begin(client);
            List<RpcCall<Integer>> backward = begin(accepted.join());

            Awaitility.await()
                    .during(Duration.ofMillis(200))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> atServer.holds(forwardCredits) && atClient.holds(atATime));
            atServer.letGo();
            atClient.letGo();
            awaitAll(forward);
            awaitAll(backward);
        }
    }

    /** Each call returns what the client returns to the server's call, with all credits of both directions in use. */
    @ParameterizedTest
    @CsvSource({"tcp, 1, 1", "tcp, 2, 1", "tcp, 64, 2", "rdma, 1, 1", "rdma, 2, 1", "rdma, 64, 2"})
    void repliesAreReadWhileTheCreditsOfBothDirectionsAreInUse(String scheme, int clientCredits, int others)
            throws Exception {
        ConnectionOptions few = ConnectionOptions.DEFAULT.withCredits(others).withBackwardCredits(others);
        try (RpcServer server = Loopback.builder(scheme, EchoProgram.callingBack())
                        .options(few)
                        .start();
                RpcClient client = Rpc.connect(address(scheme, server), few.withCredits(clientCredits))) {
            client.serve(EchoProgram.service((value, call) -> CompletableFuture.completedFuture(value + 1)));

            List<RpcCall<Integer>> calls = begin(client);

            for (int i = 0; i < calls.size(); i++) {
                assertThat(calls.get(i).await()).isEqualTo(i + 1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void backwardCallMayHaveTheXidOfTheCallThatWaitsForIt(String scheme) throws Exception {
        RpcService callingBack = EchoProgram.service((value, call) -> {
            call.connection().enableBackwardCalls();
            return ((Connection) call.connection())
                    .call(call.xid(), EchoProgram.ECHO, value, Destinations.none(), OPTIONS)
                    .completion();
        });
        try (RpcServer server = serve(scheme, callingBack);
                RpcClient client = connect(scheme, server)) {
            client.serve(EchoProgram.service((value, call) -> CompletableFuture.completedFuture(value + 1)));

            assertThat(echo(client, 7)).isEqualTo(8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void clientIsCalledOverItsNextConnectionOnceItHasAnnouncedItselfAgain(String scheme) throws Exception {
        Queue<CompletableFuture<Integer>> connected = new ConcurrentLinkedQueue<>();
        CompletableFuture<Integer> withoutAWord = new CompletableFuture<>();
        CompletableFuture<Integer> prepared = new CompletableFuture<>();
        connected.add(withoutAWord);
        connected.add(prepared);
        RecoveryObserver preparing = new RecoveryObserver() {
            @Override
            public void reconnected(URI address, RpcClient client) {
                CompletableFuture<Integer> next = connected.remove();
                if (next == prepared) {
                    client.call(EchoProgram.ECHO, PREPARED, Destinations.none(), OPTIONS)
                            .completion()
                            .thenAccept(prepared::complete);
                } else {
                    next.complete(0);
                }
            }
        };
        try (RpcServer server = serve(scheme, NOTIFYING);
                CuttingProxy proxy = new CuttingProxy(server.addresses().get(0).getPort());
                RpcClient client =
                        Rpc.client(proxy.address(scheme), ConnectionOptions.DEFAULT.withRecoveryObserver(preparing))) {
            client.serve(EchoProgram.service((value, call) -> CompletableFuture.completedFuture(value + 1)));
            echo(client, PREPARED);
            assertThat(echo(client, 5)).isEqualTo(6);

            proxy.cut();
            withoutAWord.get(20, TimeUnit.SECONDS);
            assertFails(() -> echo(client, 5), Kind.SYSTEM_ERROR);

            proxy.cut();
            prepared.get(20, TimeUnit.SECONDS);
            assertThat(echo(client, 5)).isEqualTo(6);
        }
    }

    private static List<RpcCall<Integer>> begin(RpcConnection connection) {
        List<RpcCall<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            calls.add(connection.call(EchoProgram.ECHO, i, Destinations.none(), OPTIONS));
        }
        return calls;
    }

    private static void awaitAll(List<RpcCall<Integer>> calls) throws RpcException, InterruptedException {
        for (RpcCall<Integer> call : calls) {
            call.await();
        }
    }

    /** Echoes, at once or later. */
    private static final class Held {
        private final List<Runnable> answers = new ArrayList<>();
        private boolean holding;

        synchronized CompletableFuture<Integer> answer(int value) {
            CompletableFuture<Integer> answer = new CompletableFuture<>();
            answers.add(() -> answer.complete(value));
            if (!holding) {
                letGo();
            }
            return answer;
        }

        synchronized void hold() {
            holding = true;
        }

        /**
         * Returns whether so many calls are held. If fewer are, answers the oldest, because a grant that is all in use
         * grows with a reply.
         */
        synchronized boolean holds(int calls) {
            if (!answers.isEmpty() && answers.size() < calls) {
                answers.remove(0).run();
            }
            return answers.size() == calls;
        }

        synchronized void letGo() {
            holding = false;
            answers.forEach(Runnable::run);
            answers.clear();
        }
    }
}
