// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.emplace.RpcServer;
import org.emplace.xdr.Payload;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of registered memory, for each transport. */
final class RegisteredBufferTest {

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aPayloadIsFetchedIntoARange(String scheme) throws Exception {
        try (RpcServer server = Loopback.serve(scheme, EchoProgram.service());
                RpcConnection connection = Loopback.connect(scheme, server)) {
            Payload payload = Payload.of(EchoProgram.pattern(ByteBuffer.allocateDirect(90)));
            RegisteredBuffer registered = connection.memory().register(ByteBuffer.allocateDirect(100));

            registered.fetch(payload, 10).toCompletableFuture().get();

            assertThat(registered.buffer().slice(10, 90)).isEqualTo(payload.buffer());
            assertThat(registered.buffer().slice(0, 10)).isEqualTo(ByteBuffer.allocate(10));
            assertThatThrownBy(() -> registered.fetch(payload, 11)).isInstanceOf(IndexOutOfBoundsException.class);
            registered.close();
            assertThatThrownBy(() -> registered.fetch(payload, 10)).isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void closedBufferMakesNoPayloadsButKeepsItsBytes(String scheme) throws Exception {
        try (RpcServer server = Loopback.serve(scheme, EchoProgram.service());
                RpcConnection connection = Loopback.connect(scheme, server)) {
            ByteBuffer memory = EchoProgram.pattern(ByteBuffer.allocateDirect(100));
            RegisteredBuffer registered = connection.memory().register(memory);
            assertThat(registered.payload(10, 90).length()).isEqualTo(90);
            assertThatThrownBy(() -> registered.payload(10, 91)).isInstanceOf(IndexOutOfBoundsException.class);

            registered.close();

            assertThatThrownBy(() -> registered.payload(0, 1)).isInstanceOf(IllegalStateException.class);
            assertThat(registered.buffer()).isEqualTo(memory);
        }
    }
}
