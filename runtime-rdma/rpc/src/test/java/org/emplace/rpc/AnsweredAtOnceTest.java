// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.rpc.EchoProgram.echo;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.Loopback.OPTIONS;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Procedures that a service answers on the thread that receives their calls; see {@link RpcService#handlingOnLoop}. */
@Timeout(60)
final class AnsweredAtOnceTest {
    @Test
    void aProcedureThatIsAnsweredAtOnceKeepsTheThreadThatReceivesCalls() throws Exception {
        Queue<Thread> answering = new ConcurrentLinkedQueue<>();
        RpcService service = EchoProgram.service((value, call) -> {
            answering.add(Thread.currentThread());
            return CompletableFuture.completedFuture(value + 1);
        });
        try (RpcServer prompt = Loopback.serve(service.handlingOnLoop(EchoProgram.ECHO));
                RpcConnection caller = Loopback.connect(prompt)) {
            for (int i = 0; i < 10; i++) {
                // Does not use await(): if both ends share an event loop, as on one processor, its caller may receive
                // calls itself.
                assertThat(caller.call(EchoProgram.ECHO, i, Destinations.none(), OPTIONS)
                                .completion())
                        .succeedsWithin(Duration.ofSeconds(20))
                        .isEqualTo(i + 1);
            }

            assertThat(answering)
                    .hasSize(10)
                    .containsOnly(answering.element())
                    .noneMatch(thread -> thread.getName().equals("emplace-rpc-server"));
        }
    }

    @Test
    void aCallThatIsAnsweredAtOnceDoesNotWaitForBusyThreads() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        RpcService mixed = RpcService.builder(EchoProgram.PROGRAM)
                .handle(EchoProgram.THROW, (value, call) -> {
                    release.await();
                    return value;
                })
                .handle(EchoProgram.ECHO, (value, call) -> value)
                .build()
                .handlingOnLoop(EchoProgram.ECHO);
        try (RpcServer narrow = Loopback.builder(mixed).threads(1).start();
                RpcConnection caller = Loopback.connect(narrow)) {
            RpcCall<Integer> stuck = caller.call(EchoProgram.THROW, 1, Destinations.none(), OPTIONS);

            assertThat(echo(caller, 2)).isEqualTo(2);
            release.countDown();
            assertThat(stuck.await()).isEqualTo(1);
        }
    }

    @Test
    void aCallWithoutAHandlerDoesNotWaitForBusyThreads() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (RpcServer narrow =
                        Loopback.builder(EchoProgram.heldBy(release)).threads(1).start();
                RpcConnection caller = Loopback.connect(narrow)) {
            RpcCall<Integer> held = caller.call(EchoProgram.ECHO, 1, Destinations.none(), OPTIONS);

            caller.call(EchoProgram.NULL, 0, Destinations.none(), OPTIONS).await();
            assertFails(
                    () -> caller.call(EchoProgram.UNSERVED, 0, Destinations.none(), OPTIONS)
                            .await(),
                    Kind.PROCEDURE_UNAVAILABLE);
            release.countDown();
            assertThat(held.await()).isEqualTo(1);
        }
    }

    @Test
    void aProcedureThatIsAnsweredAtOnceMayCloseTheServer() throws Exception {
        CompletableFuture<RpcServer> itself = new CompletableFuture<>();
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        RpcService closing = RpcService.builder(EchoProgram.PROGRAM)
                .handleAsync(EchoProgram.NEVER, (value, call) -> answer)
                .handle(EchoProgram.ECHO, (value, call) -> {
                    itself.join().close();
                    answer.complete(value);
                    return value;
                })
                .build()
                .handlingOnLoop(EchoProgram.ECHO, EchoProgram.NEVER);
        try (RpcServer server = Loopback.serve(closing);
                RpcConnection caller = Loopback.connect(server)) {
            itself.complete(server);
            RpcCall<Integer> running = caller.call(EchoProgram.NEVER, 1, Destinations.none(), OPTIONS);

            assertThat(echo(caller, 2)).isEqualTo(2);
            assertThat(running.await()).isEqualTo(2);
        }
    }

    @Test
    void aProcedureWhoseArgumentsMayBeFetchedCannotBeAnsweredAtOnce() {
        RpcService service = EchoProgram.service();

        assertThatThrownBy(() -> service.handlingOnLoop(EchoProgram.MIRROR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MIRROR");
        assertThatThrownBy(() -> service.handlingOnLoop(EchoProgram.UNSERVED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("UNSERVED");
    }
}
