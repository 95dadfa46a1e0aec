// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Loopback.OPTIONS;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.RpcServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that is closed under load delivers the reply of every call that took effect. */
@Timeout(120)
final class OrderlyCloseTest {
    private static final int ROUNDS = 20;
    private static final int IN_FLIGHT = 32;

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void everyCallThatTookEffectIsAnswered(String scheme) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            closeUnderLoad(scheme, round);
        }
    }

    private static void closeUnderLoad(String scheme, int round) throws Exception {
        Set<Integer> performed = ConcurrentHashMap.newKeySet();
        CountDownLatch busy = new CountDownLatch(100 + 20 * round);
        RpcService service = EchoProgram.service((value, call) -> {
            performed.add(value);
            busy.countDown();
            return CompletableFuture.completedFuture(value);
        });
        RpcServer server = Loopback.builder(scheme, service).start();
        try (RpcConnection client = Loopback.connect(scheme, server)) {
            Load load = new Load(client);
            load.start();
            busy.await();

            server.close();

            load.ended.join();
            assertThat(performed).as("round " + round).isSubsetOf(load.answered);
        }
    }

    /** A client that keeps a number of calls in flight until its connection ends. */
    private static final class Load {
        private final RpcConnection client;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger running = new AtomicInteger(IN_FLIGHT);
        private final Queue<Integer> answered = new ConcurrentLinkedQueue<>();
        private final CompletableFuture<Void> ended = new CompletableFuture<>();

        Load(RpcConnection client) {
            this.client = client;
        }

        void start() {
            for (int i = 0; i < IN_FLIGHT; i++) {
                call();
            }
        }

        private void call() {
            client.call(EchoProgram.ECHO, next.getAndIncrement(), Destinations.none(), OPTIONS)
                    .completion()
                    .whenComplete((value, failure) -> {
                        if (failure == null) {
                            answered.add(value);
                            call();
                        } else if (running.decrementAndGet() == 0) {
                            ended.complete(null);
                        }
                    });
        }
    }
}
