// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.SharedReceiveQueue;
import org.emplace.rdma.contract.SharingServer.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Like {@link DeviceFaultsTest}, for connections that use a shared receive queue. */
@Tag("lab")
@Tag("faults")
final class SharedReceiveQueueFaultsTest {
    @BeforeEach
    @AfterEach
    void noFault() throws IOException {
        Fault.NONE.begin();
    }

    @Test
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
}
