// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.TcpLoopback.OPTIONS;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.emplace.RpcServer;
import org.emplace.rpc.transport.TransportConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server whose handlers wait for callbacks reads their replies, however many calls the client has in flight. */
@Timeout(60)
final class CallbacksOverTcpTest {
    private static final int SERVER_CREDITS = 2;

    /** Each call is answered by what the client answers to the callback. */
    @ParameterizedTest
    @ValueSource(ints = {1, SERVER_CREDITS, 64})
    void repliesAreReadWhileTheClientUsesAllItsCredits(int clientCredits) throws Exception {
        RpcService callingBack = EchoProgram.service((value, call) -> call.connection()
                .call(EchoProgram.ECHO, value, List.of(), OPTIONS)
                .completion());
        try (RpcServer server = RpcServer.builder()
                        .service(callingBack)
                        .options(ConnectionOptions.DEFAULT.withCredits(SERVER_CREDITS))
                        .listen(TcpLoopback.ANY_PORT)
                        .start();
                RpcConnection client =
                        TcpLoopback.connect(server, ConnectionOptions.DEFAULT.withCredits(clientCredits))) {
            client.serve(EchoProgram.service((value, call) -> CompletableFuture.completedFuture(value + 1)));

            List<RpcCall<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                calls.add(client.call(EchoProgram.ECHO, i, List.of(), OPTIONS));
            }

            for (int i = 0; i < calls.size(); i++) {
                assertThat(calls.get(i).await()).isEqualTo(i + 1);
            }
        }
    }

    @Test
    void aCallbackMayHaveTheXidOfTheCallThatWaitsForIt() throws Exception {
        RpcService callingBack = EchoProgram.service((value, call) -> ((TransportConnection) call.connection())
                .call(call.xid(), EchoProgram.ECHO, value, List.of(), OPTIONS)
                .completion());
        try (RpcServer server = TcpLoopback.serve(callingBack);
                RpcConnection client = TcpLoopback.connect(server)) {
            client.serve(EchoProgram.service((value, call) -> CompletableFuture.completedFuture(value + 1)));

            assertThat(client.call(EchoProgram.ECHO, 7, List.of(), OPTIONS).await())
                    .isEqualTo(8);
        }
    }
}
