// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replies over TCP hold memory until they have been sent. A peer that takes none of them leaves memory to others. */
@Timeout(60)
final class TcpReplyMemoryTest {
    private static final int MIB = 1 << 20;
    private static final int CALLS = 20;
    private static final int NUMBERS = MIB / Integer.BYTES;

    private final AtomicInteger given = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private final ServiceDispatcher dispatcher = new ServiceDispatcher(4);
    private Listener listener;

    @BeforeEach
    void listen() throws RpcException {
        dispatcher.add(EchoProgram.service(this::answer));
        listener = Loopback.tcp(8 * MIB)
                .listen(Loopback.ANY_PORT, dispatcher, ConnectionOptions.DEFAULT, new ConnectionLimit(100));
    }

    /** Calls with negative numbers hold memory until they are released. */
    private CompletionStage<Integer> answer(Integer value, ServerCall call) {
        try {
            assertThat(call.buffer(MIB).remaining()).isEqualTo(MIB);
            given.incrementAndGet();
        } catch (UncheckedIOException noMemory) {
            refused.incrementAndGet();
            return CompletableFuture.completedFuture(0);
        }
        return value < 0 ? released.thenApply(now -> value) : CompletableFuture.completedFuture(value);
    }

    @AfterEach
    void close() {
        listener.close();
        dispatcher.close();
    }

    private RawTcpPeer peer(String address) throws Exception {
        return new RawTcpPeer(address, listener.localAddress().getPort());
    }

    private void call(RawTcpPeer peer, int givenThen) throws Exception {
        int before = given.get() + refused.get();
        for (int i = 1; i <= CALLS; i++) {
            peer.sendEcho(-i);
        }
        await().until(() -> given.get() + refused.get() == before + CALLS);
        assertThat(given).hasValue(givenThen);
    }

    @Test
    void connectionsAndAddressesShareIt() throws Exception {
        try (RawTcpPeer first = peer("127.0.0.1");
                RawTcpPeer second = peer("127.0.0.1");
                RawTcpPeer other = peer("127.0.0.2")) {
            call(first, 6);
            call(second, 7);
            assertThat(other.echo(1)).isTrue();
            assertThat(given).hasValue(8);

            released.complete(null);
            for (int i = 0; i < CALLS; i++) {
                assertThat(first.receiveStatus()).isZero();
            }
            for (int i = 0; i < CALLS; i++) {
                assertThat(first.echo(1)).isTrue();
            }
            assertThat(refused).hasValue(2 * CALLS - 7);
        }
    }

    @Test
    void aConnectionThatEndsGivesItBack() throws Exception {
        try (RawTcpPeer first = peer("127.0.0.1")) {
            call(first, 6);
        }
        released.complete(null);
        try (RawTcpPeer second = peer("127.0.0.1")) {
            await().until(() -> {
                int before = given.get();
                return second.echo(1) && given.get() > before;
            });
            int before = refused.get();
            for (int i = 0; i < CALLS; i++) {
                assertThat(second.echo(1)).isTrue();
            }
            assertThat(refused).hasValue(before);
        }
    }

    /** Listings, for example: they are encoded on the heap. */
    @Test
    void longRepliesWithoutPayloadsCountToo() throws Exception {
        int calls = 60;
        try (RawTcpPeer first = peer("127.0.0.1");
                RawTcpPeer other = peer("127.0.0.2")) {
            for (int i = 0; i < calls; i++) {
                sendCount(first);
            }
            assertThat(other.echo(1)).isTrue();

            // The kernel holds about 10 MiB of the replies, and the server no more than 8 MiB. The client sends the
            // others again.
            int counted = 0;
            try {
                while (counted <= calls) {
                    assertThat(first.receive()).hasSizeGreaterThan(NUMBERS);
                    counted++;
                }
            } catch (IOException ended) {
                assertThat(counted).isLessThanOrEqualTo(30);
            }
            try (RawTcpPeer again = peer("127.0.0.1")) {
                sendCount(again);
                assertThat(again.receiveStatus()).isZero();
            }
        }
    }

    private static void sendCount(RawTcpPeer peer) throws IOException {
        peer.send(0, EchoProgram.PROGRAM.number(), EchoProgram.PROGRAM.version(), 6, NUMBERS);
    }
}
