// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.specs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.ProcedureUnavailableException;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.ServerCall;
import org.emplace.tests.specs.mount3.Mount3AsyncServer;
import org.emplace.tests.specs.mount3.Mount3Client;
import org.emplace.tests.specs.mount3.Mount3Server;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server written before its protocol gained a procedure still compiles, and answers PROC_UNAVAIL. */
class ProceduresOfLaterFilesTest {

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void aServerThatDoesNotHaveAProcedureSaysSo(String transport) throws Exception {
        assertAnswers(transport, Mount3Server.service(new Mount3Server() {}));
        assertAnswers(transport, Mount3AsyncServer.service(new Mount3AsyncServer() {}));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void aStageCanSaySoToo(String transport) throws Exception {
        assertAnswers(transport, Mount3AsyncServer.service(new Mount3AsyncServer() {
            @Override
            public CompletionStage<Void> umntall(ServerCall call) {
                return CompletableFuture.failedFuture(new ProcedureUnavailableException());
            }
        }));
    }

    private static void assertAnswers(String transport, RpcService service) throws Exception {
        URI anyPort = URI.create(transport + "://127.0.0.1:0");
        try (RpcServer server =
                        RpcServer.builder().service(service).listen(anyPort).start();
                RpcConnection connection = Rpc.connect(
                        URI.create(transport + "://127.0.0.1:"
                                + server.addresses().get(0).getPort()),
                        ConnectionOptions.DEFAULT)) {
            Mount3Client client = Mount3Client.on(connection);
            assertThatExceptionOfType(RpcException.class)
                    .isThrownBy(client::umntall)
                    .satisfies(each -> assertThat(each.kind()).isEqualTo(RpcException.Kind.PROCEDURE_UNAVAILABLE));
            client.nullProcedure();
        }
    }
}
