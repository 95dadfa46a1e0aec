// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpc.TcpLoopback.OPTIONS;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the calls of all connections share the threads and the queue of a server. */
@Timeout(60)
final class ServerThreadsTest {
    @Test
    void callsBeyondTheServersQueueAreRefusedAndNotKept() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        RpcService slow = EchoProgram.service((value, call) -> {
            release.await();
            return CompletableFuture.completedFuture(value);
        });
        try (RpcServer small = RpcServer.builder()
                        .service(slow)
                        .threads(1)
                        .queue(1)
                        .listen(TcpLoopback.ANY_PORT)
                        .start();
                RpcConnection caller = TcpLoopback.connect(small)) {
            List<RpcCall<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                calls.add(caller.call(EchoProgram.ECHO, i, List.of(), OPTIONS));
            }

            assertFails(calls.get(2)::await, Kind.SYSTEM_ERROR);
            release.countDown();
            assertThat(calls.get(0).await()).isEqualTo(0);
            assertThat(calls.get(1).await()).isEqualTo(1);
        }
    }

    @Test
    void aConnectionWhoseCallsAreStuckLeavesThreadsToOthers() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        RpcService stuckForNegatives = EchoProgram.service((value, call) -> {
            if (value < 0) {
                release.await();
            }
            return CompletableFuture.completedFuture(value);
        });
        try (RpcServer small = RpcServer.builder()
                        .service(stuckForNegatives)
                        .threads(4)
                        .listen(TcpLoopback.ANY_PORT)
                        .start();
                RpcConnection stuck = TcpLoopback.connect(small);
                RpcConnection other = TcpLoopback.connect(small)) {
            List<RpcCall<Integer>> calls = new ArrayList<>();
            for (int i = 1; i <= 20; i++) {
                calls.add(stuck.call(EchoProgram.ECHO, -i, List.of(), OPTIONS));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(other.call(EchoProgram.ECHO, i, List.of(), OPTIONS).await())
                        .isEqualTo(i);
            }

            release.countDown();
            for (int i = 1; i <= 20; i++) {
                assertThat(calls.get(i - 1).await()).isEqualTo(-i);
            }
        }
    }
}
