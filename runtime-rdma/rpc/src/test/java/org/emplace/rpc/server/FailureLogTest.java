// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rpc.MemoryExhaustedException;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.server.CallAdmission.FailureLog;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.junit.jupiter.api.Test;

/** Peers cannot flood a server's log. */
final class FailureLogTest {
    private final List<String> logged = new ArrayList<>();
    private int stackTraces;
    private final FailureLog log = new FailureLog((System.Logger) Proxy.newProxyInstance(
            System.Logger.class.getClassLoader(), new Class<?>[] {System.Logger.class}, (proxy, method, arguments) -> {
                logged.add((String) arguments[1]);
                stackTraces += arguments.length > 2 && arguments[2] instanceof Throwable ? 1 : 0;
                return arguments;
            }));
    private final ServerCall call = (ServerCall) Proxy.newProxyInstance(
            ServerCall.class.getClassLoader(), new Class<?>[] {ServerCall.class}, (proxy, method, arguments) -> "call");

    @Test
    void fewFailuresOfOneKindAreLogged() {
        for (int i = 0; i < 10; i++) {
            log.failed(call, procedure("READ"), new IllegalStateException());
        }

        assertThat(logged).hasSize(4).last().asString().endsWith("so far: 8");
    }

    @Test
    void theFirstFailureOfEachKindIsLogged() {
        log.failed(call, procedure("READ"), new IllegalStateException());
        log.failed(call, procedure("WRITE"), new IllegalStateException());
        log.failed(call, procedure("READ"), new IllegalArgumentException());

        assertThat(logged).hasSize(3);
    }

    @Test
    void aLackOfMemoryIsLoggedWithoutAStackTrace() {
        ServerCall.Connection connection = (ServerCall.Connection) Proxy.newProxyInstance(
                ServerCall.Connection.class.getClassLoader(),
                new Class<?>[] {ServerCall.Connection.class},
                (proxy, method, arguments) -> new InetSocketAddress(7));
        IncomingCall incoming = (IncomingCall) Proxy.newProxyInstance(
                IncomingCall.class.getClassLoader(),
                new Class<?>[] {IncomingCall.class},
                (proxy, method, arguments) -> connection);
        log.unanswerable(incoming, "call 0x5", new MemoryExhaustedException(new IOException("no memory\nfor READ")));

        assertThat(logged).last().asString().contains("no memory").doesNotContain("\n");
        assertThat(stackTraces).isZero();
        log.failed(call, procedure("READ"), new UncheckedIOException(new IOException("of the handler's own")));
        assertThat(stackTraces).isEqualTo(1);
    }

    private static Procedure<Integer, Integer> procedure(String name) {
        XdrCodec<Integer> codec = new XdrCodec<>(XdrEncoder::writeInt, XdrDecoder::readInt);
        return Procedure.of(
                RpcProgram.of("TEST", 1, 1),
                1,
                name,
                codec,
                codec,
                ProcedureBinding.nonIdempotent(value -> Integer.BYTES));
    }
}
