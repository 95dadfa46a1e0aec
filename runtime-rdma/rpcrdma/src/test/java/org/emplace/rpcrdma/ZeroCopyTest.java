// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.iwarp.Wiretap;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.Payload;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On both ends of a call, the socket calls use the application's own buffers. */
final class ZeroCopyTest {
    private static final int LENGTH = 1_000_003;
    private static final int POOLED = 1 << 24;
    private static final byte MARK = 0x5a;

    private final ByteBuffer atServer = Blobs.pattern(LENGTH);
    private final ByteBuffer atClient = Blobs.pattern(LENGTH);
    private final ServiceDispatcher dispatcher = new ServiceDispatcher(2);
    private final Wiretap serving = new Wiretap();
    private final Wiretap calling = new Wiretap();
    private OneDevice server;
    private OneDevice caller;
    private Listener listener;
    private RpcConnection client;
    private boolean registers;
    private @Nullable RegisteredBuffer registeredAtServer;

    @BeforeEach
    void connect() throws Exception {
        dispatcher.add(Blobs.service(
                        Blobs.handler(
                                Blobs.PUT,
                                (args, call) ->
                                        fetched(args.items().get(0), call).thenApply(done -> 0L)),
                        Blobs.handler(
                                Blobs.GET,
                                (args, call) -> CompletableFuture.completedFuture(Items.of(Payload.of(atServer)))))
                .fetching(Blobs.PUT));
        server = new OneDevice(serving.open(), POOLED);
        caller = new OneDevice(calling.open(), POOLED);
        listener = server.listen(dispatcher, ConnectionOptions.DEFAULT);
        client = caller.transport.connect(OneDevice.address(listener), ConnectionOptions.DEFAULT);
    }

    private CompletionStage<Void> fetched(Payload argument, ServerCall call) throws RpcException {
        if (!registers) {
            return argument.fetchInto(atServer);
        }
        if (registeredAtServer == null) {
            registeredAtServer = call.connection().memory().register(atServer);
        }
        return registeredAtServer.fetch(argument, 0);
    }

    @AfterEach
    void close() {
        client.close();
        listener.close();
        dispatcher.close();
        caller.close();
        server.close();
    }

    @Test
    void anArgumentIsMovedFromTheCallersMemoryToTheServersSink() throws Exception {
        fill(atServer);

        Blobs.put(client, Payload.of(atClient));

        assertThat(atServer).isEqualTo(atClient);
        assertMoved(calling, serving);
    }

    @Test
    void anArgumentIsMovedToRegisteredMemoryWithoutAnotherRegistration() throws Exception {
        registers = true;
        Blobs.put(client, Payload.of(ByteBuffer.allocate(1)));
        long before = server.provider.statistics().registrations();
        fill(atServer);

        Blobs.put(client, Payload.of(atClient));

        assertThat(atServer).isEqualTo(atClient);
        assertThat(server.provider.statistics().registrations()).isEqualTo(before);
        assertMoved(calling, serving);
    }

    @Test
    void aResultIsMovedFromTheServersMemoryToItsDestination() throws Exception {
        fill(atClient);

        client.call(Blobs.GET, List.of((long) LENGTH), Blobs.into(Destination.into(atClient)), CallOptions.DEFAULT)
                .await();

        assertThat(atClient).isEqualTo(atServer);
        assertMoved(serving, calling);
    }

    @Test
    void registeredMemoryIsUsedInPlace() throws Exception {
        try (RegisteredBuffer registered = client.memory().register(atClient)) {
            Blobs.put(client, registered.payload(0, LENGTH));
            client.call(
                            Blobs.GET,
                            List.of((long) LENGTH),
                            Blobs.into(Destination.into(registered, 0, LENGTH)),
                            CallOptions.DEFAULT)
                    .await();
        }

        assertThat(atClient).isEqualTo(Blobs.pattern(LENGTH));
        assertMoved(calling, serving);
        assertMoved(serving, calling);
    }

    @Test
    void severalBuffersAreUsedInPlace() throws Exception {
        ByteBuffer head = atClient.slice(0, 400_001);
        ByteBuffer tail = atClient.slice(400_001, LENGTH - 400_001);
        try (RegisteredBuffer registered = client.memory().register(tail)) {
            Payload pieces = Payload.of(List.of(Payload.of(head), registered.payload(0, registered.length())));
            Blobs.put(client, pieces);
            assertThat(atServer).isEqualTo(Blobs.pattern(LENGTH));
            fill(atClient);
            Destination parts = Destination.into(
                    List.of(Destination.into(head), Destination.into(registered, 0, registered.length())));
            client.call(Blobs.GET, List.of((long) LENGTH), Blobs.into(parts), CallOptions.DEFAULT)
                    .await();
        }

        assertThat(atClient).isEqualTo(Blobs.pattern(LENGTH));
        assertMoved(calling, serving);
        assertMoved(serving, calling);
    }

    /** Bytes written into the buffers now are visible in every view that a socket call has used. */
    private void assertMoved(Wiretap from, Wiretap to) {
        fill(atClient);
        fill(atServer);
        // The reply may arrive before the thread that has written the data has recorded its last socket call.
        await().pollDelay(Duration.ZERO)
                .untilAsserted(() -> assertThat(from.writtenFrom(MARK)).isEqualTo(LENGTH));
        assertThat(to.filledInto(MARK)).isEqualTo(LENGTH);
    }

    private static void fill(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, MARK);
        }
    }
}
