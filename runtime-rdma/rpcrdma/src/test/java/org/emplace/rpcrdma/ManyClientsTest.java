// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server whose connections use a shared receive queue. */
final class ManyClientsTest {
    private static final int CLIENTS = 200;
    private static final int CREDITS = 16;
    private static final int LIMIT = 1 << 26;
    /** How long a Send waits for a Receive: longer than a call waits for its reply. */
    private static final Duration RECEIVE = Duration.ofMinutes(5);

    private final OneDevice server =
            new OneDevice(IwarpProvider.open(IwarpOptions.DEFAULTS.withReceiveTimeout(RECEIVE)), LIMIT);
    private final RdmaProvider provider = server.provider;
    private final RdmaTransport clients =
            OneDevice.transport(OneDevice.device(IwarpProvider.open(IwarpOptions.DEFAULTS)));
    private final ServiceDispatcher dispatcher = new ServiceDispatcher(4);
    /** All clients here have the same address, which may have {@link #CLIENTS} of these connections. */
    private final ConnectionLimit limit = new ConnectionLimit(CLIENTS * 8 / 7);

    private final Queue<CompletableFuture<Items>> unanswered = new ConcurrentLinkedQueue<>();
    private final Listener listener;

    ManyClientsTest() throws Exception {
        dispatcher.add(Blobs.service(Blobs.handler(Blobs.GET, (sizes, call) -> {
                    CompletableFuture<Items> answer = new CompletableFuture<>();
                    unanswered.add(answer);
                    return answer;
                }))
                .handlingOnLoop(Blobs.ECHO));
        listener = server.listen(
                dispatcher, ConnectionOptions.DEFAULT.withCredits(CREDITS).withInlineThreshold(4096), limit);
    }

    @AfterEach
    void close() {
        listener.close();
        dispatcher.close();
        provider.close();
    }

    @Test
    void registeredMemoryDoesNotGrowWithConnections() throws Exception {
        List<RpcConnection> connections = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            connections.add(connect());
            put(connections.get(i));
        }
        long registered = provider.statistics().bytesHeld();
        assertThat(registered).isLessThan(CLIENTS * CREDITS * 4096L / 4);

        for (RpcConnection connection : connections) {
            put(connection);
        }
        assertThat(provider.statistics().bytesHeld()).isEqualTo(registered);
        assertThatThrownBy(this::connect).hasMessageContaining("rejected");
        assertThat(limit.refused()).isEqualTo(1);
        assertThat(provider.statistics().connectionsRejected()).isEqualTo(1);

        connections.forEach(RpcConnection::close);
        Awaitility.await().until(() -> provider.statistics().connections() == 0);
        put(connect());
    }

    @Test
    void creditsGrowAsTheyAreUsed() throws Exception {
        try (RawPeer peer = raw()) {
            int granted = 1;
            for (int expected : new int[] {2, 4, 8, CREDITS, CREDITS}) {
                granted = grantAfterUsingAll(peer, granted);
                assertThat(granted).isEqualTo(expected);
            }
        }
    }

    @Test
    void creditsGrowIfCallsAreAnsweredAtOnce() throws Exception {
        try (RawPeer peer = raw()) {
            int granted = 1;
            for (int expected : new int[] {2, 4, 8, CREDITS, CREDITS}) {
                granted = grantAfterSendingTogether(peer, granted);
                assertThat(granted).isEqualTo(expected);
            }
        }
    }

    /** Makes calls that are answered at once. Returns the grant of the last reply. */
    private static int grantAfterSendingTogether(RawPeer peer, int calls) throws Exception {
        List<Words> together = new ArrayList<>();
        for (int xid = 1; xid <= calls; xid++) {
            together.add(Words.withoutChunks(xid, 2 * CREDITS).call(xid, 4).and(0));
        }
        peer.sendTogether(together);
        int granted = 0;
        for (int i = 0; i < calls; i++) {
            granted = peer.receive()[2];
        }
        return granted;
    }

    @Test
    void noMoreCreditsAreGrantedThanRequested() throws Exception {
        try (RawPeer peer = raw()) {
            peer.send(Words.withoutChunks(1, 1).call(1, 0));
            assertThat(peer.receive()[2]).isEqualTo(1);
        }
    }

    @Test
    void oneCreditIsGrantedToPeersThatRequestNone() throws Exception {
        try (RawPeer peer = raw()) {
            peer.send(Words.withoutChunks(1, 0).call(1, 0));
            assertThat(peer.receive()[2]).isEqualTo(1);
        }
    }

    @Test
    void aClientThatExceedsItsCreditsLosesOnlyItsOwnConnection() throws Exception {
        try (RpcConnection other = connect();
                RawPeer peer = raw()) {
            for (int xid = 1; xid <= 3; xid++) {
                peer.send(hold(xid));
            }
            peer.awaitEnd();
            put(other);
        }
    }

    @Test
    void aClientThatDoesNotReceiveRepliesLosesOnlyItsOwnConnection() throws Exception {
        try (RpcConnection other = connect();
                DeafPeer peer = DeafPeer.connectedTo(listener.localAddress())) {
            CompletableFuture<Integer> calls = CompletableFuture.supplyAsync(() -> callUntilTheEnd(peer));
            while (!calls.isDone()) {
                put(other);
            }
            assertThat(calls).isCompleted();
        }
    }

    @Test
    void aClientThatUsesAllItsCreditsAllTheTimeKeepsItsConnection() throws Exception {
        XdrOpaque bytes = XdrOpaque.of(new byte[500]);
        CallOptions small = CallOptions.DEFAULT.withUnboundedReplySize(600);
        Queue<RpcCall<XdrOpaque>> calls = new ArrayDeque<>();
        try (RpcConnection client = connect()) {
            for (int call = 0; call < 3_000; call++) {
                if (calls.size() == 2 * CREDITS) {
                    assertThat(calls.remove().await()).isEqualTo(bytes);
                }
                calls.add(client.call(Blobs.ECHO, bytes, Destinations.none(), small));
            }
            for (RpcCall<XdrOpaque> last : calls) {
                assertThat(last.await()).isEqualTo(bytes);
            }
        }
    }

    @Test
    void closingTheListenerReleasesAllMemory() throws Exception {
        RpcConnection connection = connect();
        put(connection);
        listener.close();
        assertThat(connection.closed().handle((orderly, failure) -> "over").toCompletableFuture())
                .succeedsWithin(Duration.ofSeconds(20));
        server.awaitAllIsFree();
    }

    private RpcConnection connect() throws RpcException {
        return clients.connect(OneDevice.address(listener), ConnectionOptions.DEFAULT);
    }

    private RawPeer raw() throws Exception {
        return RawPeer.connectedTo(OneDevice.address(listener), RawPeer.privateData(false));
    }

    private static void put(RpcConnection connection) throws Exception {
        assertThat(Blobs.put(connection)).isZero();
    }

    /** Sends echoes of 3000 bytes without receiving replies. Returns how many the server received. */
    private static int callUntilTheEnd(DeafPeer peer) {
        int[] bytes = new int[750];
        int calls = 0;
        try {
            while (calls < 100_000) {
                Words header = Words.withoutChunks(calls, 1);
                peer.send(header.call(calls, 4).and(3000).and(bytes));
                calls++;
            }
        } catch (IOException ended) {
            return calls;
        }
        throw new AssertionError("the server has received " + calls + " calls whose replies were not received");
    }

    /** A call that is answered when the test allows it. */
    private static Words hold(int xid) {
        return Words.withoutChunks(xid, 2 * CREDITS).call(xid, 2).and(0);
    }

    /** Has a number of calls in flight at once. Returns the grant of the last reply. */
    private int grantAfterUsingAll(RawPeer peer, int calls) throws Exception {
        for (int xid = 1; xid <= calls; xid++) {
            peer.send(hold(xid));
        }
        Awaitility.await().until(() -> unanswered.size() == calls);
        while (!unanswered.isEmpty()) {
            unanswered.remove().complete(Items.of());
        }
        int granted = 0;
        for (int i = 0; i < calls; i++) {
            granted = peer.receive()[2];
        }
        return granted;
    }
}
