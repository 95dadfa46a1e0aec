// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.contract.SharingServer.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;

/**
 * How the verbs provider handles rare failures of devices. Run by tests/interop/verbs-native, which injects each {@link
 * Fault}.
 */
@Tag("lab")
@Tag("faults")
final class DeviceFaultsTest {
    @BeforeEach
    @AfterEach
    void noFault() throws IOException {
        Fault.NONE.begin();
    }

    @Test
    void memoryThatIsNotDeregisteredStaysReachable() throws Exception {
        try (Pair pair = Pair.connected()) {
            long before = bytesHeld(pair.initiator.provider);
            Fault.REGISTRATIONS_STAY.begin();
            WeakReference<ByteBuffer> kept = sentAndClosed(pair);
            assertThat(bytesHeld(pair.initiator.provider)).isGreaterThan(before);
            Fault.NONE.begin();
            WeakReference<ByteBuffer> ordinary = sentAndClosed(pair);
            Awaitility.await().until(() -> {
                System.gc();
                return ordinary.get() == null;
            });
            assertThat(kept.get()).isNotNull();
        }
    }

    /** Memory that was registered with the device and is no longer reachable otherwise. */
    private static WeakReference<ByteBuffer> sentAndClosed(Pair pair) throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect(8192);
        MemoryRegion region = pair.initiator.provider.register(memory);
        pair.initiator.post(Side.send(50, region));
        assertThat(pair.initiator.handler.next().status()).isEqualTo(Status.SUCCESS);
        region.close();
        return new WeakReference<>(memory);
    }

    @Test
    void aQueuePairThatIsNotDestroyedCanNoLongerAccessMemory() throws Exception {
        try (Pair pair = Pair.connected()) {
            long before = bytesHeld(pair.initiator.provider);
            Fault.QUEUE_PAIRS_STAY.begin();
            pair.initiator.queuePair().close();
            pair.initiator.handler.end();
            pair.responder.handler.end();
            Fault.NONE.begin();
            assertThat(pair.initiator.handler.rest())
                    .hasSize(Side.RECEIVES)
                    .extracting(Completion::status)
                    .containsOnly(Status.FLUSHED);
            assertThat(bytesHeld(pair.initiator.provider))
                    .isLessThanOrEqualTo(before - pair.initiator.receives.length());
            pair.another().greet();
        }
    }

    /**
     * The initiator's provider uses the same device, and processes events while the responder's provider is blocked.
     */
    @Test
    void anOverrunCompletionQueueEndsOnlyItsConnection() throws Exception {
        StallingHandler stalling = new StallingHandler();
        Fault.COMPLETION_QUEUES_ARE_SHORT.begin();
        try (Pair pair = Pair.connected(new RecordingHandler(), stalling)) {
            Fault.NONE.begin();
            Pair other = pair.another();
            MemoryRegion message = pair.initiator.noise(16);
            pair.initiator.queuePair().post(Fault.sends(1, message));
            stalling.awaitStall();
            pair.initiator.queuePair().post(Fault.sends(Side.RECEIVES - 1, message));
            Fault.waitForArrivals();
            stalling.release();
            assertThat(stalling.end())
                    .hasValueSatisfying(
                            cause -> assertThat(cause).hasMessageContaining("completion queue has overrun"));
            other.greet();
            pair.another().greet();
        }
    }

    @Test
    void aPeerThatVanishesEndsOnlyItsConnection() throws Exception {
        try (Pair pair = Pair.connected()) {
            Pair other = pair.another();
            Fault.PEERS_VANISH.begin();
            pair.initiator.queuePair().close();
            // rxe gives up after seven attempts at intervals of some two seconds.
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(pair.responder.handler::hasEnded);
            Fault.NONE.begin();
            other.greet();
        }
    }

    @Test
    @DisabledIf("org.emplace.rdma.contract.SharedReceiveQueueTest#cannotShare")
    void aSharedReceiveQueueThatIsNotDestroyedIsNotReportedAsClosed() throws Exception {
        try (SharingServer server = new SharingServer()) {
            server.connect();
            server.post(0, 1);
            SharedReceiveQueue queue = server.queue();
            Fault.SHARED_RECEIVE_QUEUES_STAY.begin();
            server.listener.close();
            server.closeConnections();
            assertThat(queue.closed().toCompletableFuture()).isNotDone();
        }
    }

    @Test
    @DisabledIf("org.emplace.rdma.contract.SharedReceiveQueueTest#cannotShare")
    void anOverrunSharedReceiveQueueEndsItsConnectionsAndIsReplaced() throws Exception {
        Fault.COMPLETION_QUEUES_ARE_SHORT.begin();
        try (SharingServer server = new SharingServer(StallingHandler::new)) {
            Connection one = server.connect();
            Fault.NONE.begin();
            Connection other = server.connect();
            server.post(IntStream.range(0, SharingServer.RECEIVES).toArray());
            MemoryRegion message = one.sender().register(ByteBuffer.allocateDirect(16));
            one.initiator().queuePair().post(Fault.sends(1, message));
            StallingHandler stalling = (StallingHandler) one.responder();
            stalling.awaitStall();
            one.initiator().queuePair().post(Fault.sends(SharingServer.RECEIVES - 1, message));
            Fault.waitForArrivals();
            stalling.release();
            for (Connection each : List.of(one, other)) {
                assertThat(each.responder().end())
                        .hasValueSatisfying(
                                cause -> assertThat(cause).hasMessageContaining("completion queue has overrun"));
            }
            assertThat(server.queue().closed().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(20));
            server.connect();
        }
    }

    private static long bytesHeld(RdmaProvider provider) {
        return provider.statistics().bytesHeld();
    }
}
