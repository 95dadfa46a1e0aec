// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.emplace.rpc.Failures.assertFails;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.emplace.reactor.Peer;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Calls of every form, many of each over one connection, release everything that they took at both ends: pooled memory, registrations, credits, and
 * the number of bytes that may be fetched at a time.
 */
@Timeout(60)
final class ReturnedMemoryTest {
    private static final int LIMIT = 1 << 22;
    private static final int TIMES = 20;
    private static final int LONGEST_MESSAGE = 100_000;
    private static final CallOptions SMALL_REPLY = CallOptions.DEFAULT.withUnboundedReplySize(100);

    private final ServiceDispatcher dispatcher = new ServiceDispatcher(4);
    private OneDevice server;
    private OneDevice client;
    private Listener listener;
    private RpcConnection connection;

    @BeforeEach
    void connect() throws Exception {
        dispatcher.add(Blobs.service(Blobs.handler(Blobs.SWAP, (args, call) -> {
            throw new IllegalStateException("as it should");
        })));
        server = new OneDevice(LIMIT);
        client = new OneDevice(LIMIT);
        ConnectionOptions serving = ConnectionOptions.DEFAULT.withMaxMessage(LONGEST_MESSAGE);
        listener = server.listen(dispatcher, serving);
        connection = client.transport.connect(OneDevice.address(listener), ConnectionOptions.DEFAULT.withCredits(4));
    }

    @AfterEach
    void close() {
        connection.close();
        listener.close();
        dispatcher.close();
        client.close();
        server.close();
    }

    @Test
    void shortCalls() throws Exception {
        repeat(() -> connection.call(Blobs.ECHO, XdrOpaque.EMPTY, Destinations.none(), SMALL_REPLY));
    }

    @Test
    void longCallsWithReplyChunks() throws Exception {
        repeat(() ->
                connection.call(Blobs.ECHO, XdrOpaque.of(new byte[20_000]), Destinations.none(), CallOptions.DEFAULT));
    }

    @Test
    void longCallsOfMoreArgumentsThanThereMayBeChunks() throws Exception {
        Items items = new Items(Collections.nCopies(9, Payload.of(Blobs.pattern(9000))), 9);
        repeat(() -> connection.call(Blobs.PUT, items, Destinations.none(), CallOptions.DEFAULT));
    }

    @Test
    void argumentsInPlaceAndStagedAndInPieces() throws Exception {
        ByteBuffer heap = ByteBuffer.allocate(9999).put(Blobs.pattern(9999)).flip();
        ByteBuffer direct = Blobs.pattern(9001);
        Payload pieces = Payload.of(direct.slice(0, 3), direct.slice(3, 8998));
        Items items = Items.of(Payload.of(heap), Payload.of(direct), pieces);
        repeat(() -> connection.call(Blobs.PUT, items, Destinations.none(), CallOptions.DEFAULT));
    }

    @Test
    void resultsInPlaceAndStagedAndInPieces() throws Exception {
        ByteBuffer[] pieces = new ByteBuffer[5];
        Arrays.setAll(pieces, i -> i % 2 == 0 ? ByteBuffer.allocate(2000) : ByteBuffer.allocateDirect(2000));
        Destinations destinations = Blobs.into(
                Destination.into(ByteBuffer.allocate(9001)),
                Destination.into(ByteBuffer.allocateDirect(9001)),
                Destination.into(pieces));
        repeat(() -> connection.call(Blobs.GET, List.of(9001L, 9001L, 9001L), destinations, CallOptions.DEFAULT));
    }

    @Test
    void resultsInRegisteredMemory() throws Exception {
        try (RegisteredBuffer memory = connection.memory().register(ByteBuffer.allocateDirect(9001))) {
            Destinations destinations = Blobs.into(Destination.into(memory, 0, 9001));
            for (int i = 0; i < TIMES; i++) {
                connection
                        .call(Blobs.GET, List.of(9001L), destinations, CallOptions.DEFAULT)
                        .await();
            }
        }
        assertNothingIsTaken();
    }

    @Test
    void callsThatTheServiceFailsTo() throws Exception {
        Items items = Items.of(Payload.of(Blobs.pattern(9001)));
        repeatFailing(
                () -> connection.call(Blobs.SWAP, items, Destinations.none(), CallOptions.DEFAULT), Kind.SYSTEM_ERROR);
    }

    @Test
    void callsThatAreLongerThanTheServerAccepts() throws Exception {
        Items items = Items.of(Payload.of(Blobs.pattern(LONGEST_MESSAGE + 1)));
        repeatFailing(
                () -> connection.call(Blobs.PUT, items, Destinations.none(), CallOptions.DEFAULT), Kind.CHUNK_ERROR);
    }

    @Test
    void longCallsThatAreLongerThanTheServerAccepts() throws Exception {
        XdrOpaque bytes = XdrOpaque.of(new byte[LONGEST_MESSAGE]);
        repeatFailing(() -> connection.call(Blobs.ECHO, bytes, Destinations.none(), SMALL_REPLY), Kind.CHUNK_ERROR);
    }

    @Test
    void repliesThatFitNothingOffered() throws Exception {
        XdrOpaque bytes = XdrOpaque.of(new byte[20_000]);
        repeatFailing(() -> connection.call(Blobs.ECHO, bytes, Destinations.none(), SMALL_REPLY), Kind.CHUNK_ERROR);
    }

    @Test
    void callsThatAreGivenUp() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            RpcCall<XdrOpaque> call = connection.call(Blobs.ECHO, XdrOpaque.EMPTY, Destinations.none(), SMALL_REPLY);
            call.cancel();
            call.completion()
                    .handle((result, failure) -> "over")
                    .toCompletableFuture()
                    .get();
        }
        assertThatTheConnectionStands();
        assertNothingIsTaken();
    }

    @Test
    void callsWhoseArgumentsCannotBeEncoded() throws Exception {
        Procedure<XdrOpaque, XdrOpaque> broken = Blobs.echoEncodedBy((out, bytes) -> {
            throw new IllegalStateException("as it should");
        });
        repeatFailing(
                () -> connection.call(broken, XdrOpaque.EMPTY, Destinations.none(), CallOptions.DEFAULT),
                Kind.GARBAGE_ARGS);
    }

    @Test
    void callsThatTimeOutWhileTheyAreEncoded() throws Exception {
        Procedure<XdrOpaque, XdrOpaque> slow = Blobs.echoEncodedBy((out, bytes) -> {
            // Parking alone may end at once.
            long end = System.nanoTime() + Duration.ofMillis(50).toNanos();
            while (System.nanoTime() - end < 0) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
        });
        CallOptions options = CallOptions.DEFAULT.withTimeout(Duration.ofMillis(1));
        repeatFailing(() -> connection.call(slow, XdrOpaque.EMPTY, Destinations.none(), options), Kind.TIMED_OUT);
    }

    @Test
    void callsWhoseArgumentsHaveNoBytes() throws Exception {
        Items broken = Items.of(new Broken());
        repeatFailing(
                () -> connection.call(Blobs.PUT, broken, Destinations.none(), CallOptions.DEFAULT), Kind.NO_RESOURCES);
    }

    private interface Calling {
        RpcCall<?> call() throws RpcException;
    }

    private void repeat(Calling calling) throws Exception {
        for (int i = 0; i < TIMES; i++) {
            calling.call().await();
        }
        assertNothingIsTaken();
    }

    private void repeatFailing(Calling calling, Kind kind) throws Exception {
        for (int i = 0; i < TIMES; i++) {
            assertFails(calling.call()::await, kind);
        }
        assertThatTheConnectionStands();
        assertNothingIsTaken();
    }

    private void assertThatTheConnectionStands() throws Exception {
        assertThat(connection
                        .call(Blobs.ECHO, XdrOpaque.EMPTY, Destinations.none(), SMALL_REPLY)
                        .await())
                .isEqualTo(XdrOpaque.EMPTY);
    }

    private void assertNothingIsTaken() {
        connection.close();
        listener.close();
        for (OneDevice end : List.of(client, server)) {
            end.awaitAllIsFree();
            assertThatCode(() -> end.memory
                            .shares()
                            .connection(Peer.of(InetAddress.getLoopbackAddress()))
                            .charge(LIMIT / 4 * 3))
                    .doesNotThrowAnyException();
        }
    }

    /** A payload that has no bytes, whatever length it reports. */
    private static final class Broken implements Payload {
        @Override
        public long length() {
            return 9001;
        }

        @Override
        public ByteBuffer buffer() {
            throw new IllegalStateException("no bytes");
        }

        @Override
        public CompletableFuture<Void> fetchInto(ByteBuffer sink) {
            return CompletableFuture.failedFuture(new IllegalStateException("no bytes"));
        }
    }
}
