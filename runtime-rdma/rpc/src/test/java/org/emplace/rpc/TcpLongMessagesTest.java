// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that are longer than a peer accepts, because of their headers: they fail where they are made, and are not sent again. */
@Timeout(60)
final class TcpLongMessagesTest {
    private static final int MOST = ConnectionOptions.DEFAULT.maxMessage();
    private static final int HEADERS = 200;

    @AutoClose
    private final RpcServer server = Loopback.serve(EchoProgram.service());

    @AutoClose
    private final RpcConnection client = Rpc.client(Loopback.address("tcp", server));

    TcpLongMessagesTest() throws Exception {}

    @Test
    void aCallFailsAtTheClient() throws Exception {
        Payload tooLong = Payload.of(EchoProgram.pattern(MOST));
        RpcCall<Payload> call = client.call(EchoProgram.MIRROR, tooLong, Destinations.none(), CallOptions.DEFAULT);

        assertThatThrownBy(call::await)
                .isInstanceOfSatisfying(
                        RpcException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.GARBAGE_ARGS))
                .hasMessageContaining("ConnectionOptions.maxMessage");
    }

    @Test
    void aServerThatAcceptsLessAnswersALongerCall() throws Exception {
        ConnectionOptions less = ConnectionOptions.DEFAULT.withMaxMessage(MOST / 4);
        try (RpcServer careful = RpcServer.builder()
                        .service(EchoProgram.service())
                        .listen(URI.create("tcp://127.0.0.1:0"))
                        .options(less)
                        .start();
                RpcConnection caller = Rpc.client(Loopback.address("tcp", careful))) {
            Payload longer = Payload.of(EchoProgram.pattern(MOST / 2));

            assertThatThrownBy(() -> caller.call(EchoProgram.MIRROR, longer, Destinations.none(), CallOptions.DEFAULT)
                            .await())
                    .isInstanceOfSatisfying(
                            RpcException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Kind.GARBAGE_ARGS))
                    .hasMessageContaining("ConnectionOptions.maxMessage");
            assertThat(EchoProgram.echo(caller, 5)).isEqualTo(5);
        }
    }

    @Test
    void aReplyThatTheClientDoesNotAcceptFailsItsCallAlone() throws Exception {
        ConnectionOptions less = ConnectionOptions.DEFAULT.withMaxMessage(MOST / 4);
        try (RpcConnection careful = Rpc.client(Loopback.address("tcp", server), less)) {
            assertThatThrownBy(() -> careful.call(EchoProgram.READ, MOST / 2, Destinations.none(), CallOptions.DEFAULT)
                            .await())
                    .isInstanceOfSatisfying(
                            RpcException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Kind.BAD_REPLY))
                    .hasMessageContaining("ConnectionOptions.maxMessage");
            assertThat(EchoProgram.echo(careful, 5)).isEqualTo(5);
        }
    }

    @Test
    void aReplyFailsAtTheServer() {
        RpcCall<Payload> call = client.call(EchoProgram.READ, MOST, Destinations.none(), CallOptions.DEFAULT);

        assertThatThrownBy(call::await)
                .isInstanceOfSatisfying(
                        RpcException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.SYSTEM_ERROR));
    }

    @Test
    void thoseThatFitTheProgramsBindingAreSent() throws Exception {
        RpcProgram program = EchoProgram.PROGRAM.withMaxMessage(2 * MOST);
        Payload longest = Payload.of(EchoProgram.pattern(2 * MOST - HEADERS));
        try (RpcServer accepting = Loopback.serve(
                        new RpcService(program, EchoProgram.service().handlers()));
                RpcConnection connection = Rpc.client(Loopback.address("tcp", accepting), program)) {
            assertThat(connection
                            .call(EchoProgram.MIRROR, longest, Destinations.none(), CallOptions.DEFAULT)
                            .await()
                            .length())
                    .isEqualTo(2 * MOST - HEADERS);
        }
    }

    @Test
    void whatTheOptionsSayGoesBeforeTheProgramsBinding() {
        RpcProgram program = EchoProgram.PROGRAM.withMaxMessage(2 * MOST);

        assertThat(ConnectionOptions.DEFAULT.forPrograms(List.of(program)).maxMessage())
                .isEqualTo(2 * MOST);
        assertThat(ConnectionOptions.DEFAULT
                        .forPrograms(List.of(EchoProgram.PROGRAM))
                        .maxMessage())
                .isEqualTo(MOST);
        assertThat(ConnectionOptions.DEFAULT
                        .withMaxMessage(MOST / 2)
                        .forPrograms(List.of(program))
                        .maxMessage())
                .isEqualTo(MOST / 2);
    }

    @Test
    void thoseThatFitAreSent() throws Exception {
        Payload longest = Payload.of(EchoProgram.pattern(MOST - HEADERS));
        assertThat(client.call(EchoProgram.MIRROR, longest, Destinations.none(), CallOptions.DEFAULT)
                        .await()
                        .length())
                .isEqualTo(MOST - HEADERS);
    }
}
