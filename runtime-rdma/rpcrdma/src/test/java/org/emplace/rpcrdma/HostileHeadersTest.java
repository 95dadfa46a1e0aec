// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.emplace.Rpc;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages with a few of their words changed: the connection may end, nobody else's does, and no memory stays behind. */
final class HostileHeadersTest {
    private static final int MESSAGES = 300;
    private static final int LIMIT = 1 << 24;
    private static final int[] WORDS = {
        0, 1, 2, 3, 4, 5, 8, 44, 259, 260, 4096, 1 << 16, 1 << 22, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE, -1, -4
    };

    private final ServiceDispatcher dispatcher = new ServiceDispatcher(4);
    private OneDevice device;
    private Listener listener;

    /** A peer with memory to read and to write. */
    private record Client(RawPeer peer, RemoteSegment source, RemoteSegment sink) {}

    @BeforeEach
    void listen() throws Exception {
        dispatcher.add(Blobs.service(Blobs.handler(Blobs.PUT, (args, call) -> {
            long total = 0;
            for (Payload item : args.items()) {
                total += item.buffer().remaining();
            }
            return CompletableFuture.completedFuture(total);
        })));
        device = new OneDevice(LIMIT);
        listener = device.listen(dispatcher, ConnectionOptions.DEFAULT.withTransferTimeout(Duration.ofSeconds(2)));
    }

    @AfterEach
    void close() {
        listener.close();
        dispatcher.close();
        device.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aChangedMessageHurtsItsOwnConnectionAtMost(long seed) throws Exception {
        Random random = new Random(seed);
        try (RpcConnection other = Rpc.connect(OneDevice.address(listener))) {
            Client client = connect();
            for (int message = 0; message < MESSAGES; message++) {
                if (!client.peer.takesItAndLives(changed(random, client))) {
                    client.peer.close();
                    client = connect();
                }
            }
            client.peer.close();
            assertThat(Blobs.put(other)).isZero();
        }
        listener.close();
        device.awaitAllIsFree();
    }

    private Client connect() throws Exception {
        RawPeer peer = RawPeer.connectedTo(OneDevice.address(listener), RawPeer.privateData(false));
        return new Client(
                peer,
                peer.expose(Blobs.pattern(5000), Right.REMOTE_READ),
                peer.expose(ByteBuffer.allocateDirect(5000), Right.REMOTE_WRITE));
    }

    private static int[] changed(Random random, Client client) {
        int[] words = Words.of(wellFormed(random.nextInt(5), client).bytes());
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            words[random.nextInt(words.length)] = WORDS[random.nextInt(WORDS.length)];
        }
        return words;
    }

    /** A call of each form. */
    private static Words wellFormed(int form, Client client) {
        RemoteSegment source = client.source;
        RemoteSegment sink = client.sink;
        Words header = Words.header(7, 8, form == 4 ? 1 : 0);
        return switch (form) {
            case 0 -> header.and(0, 0, 0).call(7, 1).and(1, 4, 0x01020304, 1);
            case 1 -> header.read(44, source).and(0, 0, 0).call(7, 1).and(1, 5000, 1);
            case 2 -> header.and(0).chunk(sink).and(0, 0).call(7, 2).and(1, 5000);
            case 3 -> header.and(0, 0, 1, 1).and(sink).call(7, 4).and(4, 5);
            default -> header.read(0, source).and(0, 1, 1).and(sink);
        };
    }
}
