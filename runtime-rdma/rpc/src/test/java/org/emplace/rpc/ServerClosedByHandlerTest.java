// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.Loopback.OPTIONS;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handler closes its own server. */
@Timeout(60)
final class ServerClosedByHandlerTest {
    private final CompletableFuture<RpcServer> server = new CompletableFuture<>();
    private final CountDownLatch closed = new CountDownLatch(2);

    @Test
    void twoHandlersThatCloseTheServerDoNotWaitForEachOther() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        RpcService closing = EchoProgram.service((value, call) -> {
            both.await();
            return close(value);
        });
        try (RpcConnection caller = Loopback.connect(start(closing))) {
            RpcCall<Integer> first = caller.call(EchoProgram.ECHO, 1, Destinations.none(), OPTIONS);
            RpcCall<Integer> second = caller.call(EchoProgram.ECHO, 2, Destinations.none(), OPTIONS);

            assertFails(first::await, Kind.DISCONNECTED);
            assertFails(second::await, Kind.DISCONNECTED);
            assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aHandlerThatClosesTheServerWaitsForTheOthers() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        RpcService closing = EchoProgram.service((value, call) -> {
            if (value == 1) {
                begun.countDown();
                return answer;
            }
            return close(value);
        });
        try (RpcConnection caller = Loopback.connect(start(closing))) {
            RpcCall<Integer> slow = caller.call(EchoProgram.ECHO, 1, Destinations.none(), OPTIONS);
            begun.await();
            RpcCall<Integer> closer = caller.call(EchoProgram.ECHO, 2, Destinations.none(), OPTIONS);
            RpcCall<Integer> late = caller.call(EchoProgram.ECHO, 3, Destinations.none(), OPTIONS);

            answer.complete(7);

            assertThat(slow.await()).isEqualTo(7);
            assertFails(closer::await, Kind.DISCONNECTED);
            assertFails(late::await, Kind.DISCONNECTED);
        }
    }

    private RpcServer start(RpcService service) throws RpcException {
        RpcServer started =
                Loopback.builder(service).closeTimeout(Duration.ofHours(1)).start();
        server.complete(started);
        return started;
    }

    private CompletionStage<Integer> close(int value) {
        server.join().close();
        closed.countDown();
        return CompletableFuture.completedFuture(value);
    }
}
