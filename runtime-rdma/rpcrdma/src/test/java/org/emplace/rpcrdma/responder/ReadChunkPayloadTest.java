// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rpc.transport.Timekeeper;
import org.emplace.rpcrdma.header.InlineThresholds;
import org.emplace.rpcrdma.header.ReadChunk;
import org.emplace.rpcrdma.link.ConnectionReceives;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.SendQueue;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.junit.jupiter.api.Test;

/** What a fetch leaves behind that cannot begin. */
final class ReadChunkPayloadTest {
    private final AtomicBoolean replied = new AtomicBoolean();
    private final CallResources call = new CallResources(linkWithABrokenDevice());
    private final ReadChunkPayload payload =
            new ReadChunkPayload(new ReadChunk(44, List.of(new RemoteSegment(1, 0, 100))), 100, call);
    private Runnable meanwhile = () -> {};

    @Test
    void theReplyDoesNotWaitForACopyThatCouldNotBegin() {
        assertThatThrownBy(() -> payload.fetchInto(ByteBuffer.allocate(100))).hasMessage("device gone");

        call.lifetime().answer(() -> replied.set(true));
        assertThat(replied).isTrue();
    }

    @Test
    void aReplyGivenMeanwhileLeavesWhenTheCopyFails() {
        meanwhile = () -> call.lifetime().answer(() -> replied.set(true));

        assertThatThrownBy(() -> payload.fetchInto(ByteBuffer.allocate(100))).hasMessage("device gone");

        assertThat(replied).isTrue();
    }

    @Test
    void aReplyGivenMeanwhileLeavesWhenTheFetchInPlaceFails() {
        meanwhile = () -> call.lifetime().answer(() -> replied.set(true));

        assertThatThrownBy(() -> payload.fetchInto(ByteBuffer.allocateDirect(100)))
                .hasMessage("device gone");

        assertThat(replied).isTrue();
    }

    /** Its provider throws at every call. */
    private Link linkWithABrokenDevice() {
        RdmaProvider provider = broken(RdmaProvider.class);
        QueuePair queuePair = broken(QueuePair.class);
        Timekeeper time = broken(Timekeeper.class);
        Duration patience = Duration.ofSeconds(1);
        return new Link(
                "test",
                queuePair,
                new SendQueue(queuePair, time, patience),
                broken(ConnectionReceives.class),
                new RdmaMemory(provider, new RegisteredPool(provider, 1 << 20)),
                new InlineThresholds(1024, 1024),
                false,
                Runnable::run,
                time,
                patience);
    }

    private <T> T broken(Class<T> part) {
        return part.cast(
                Proxy.newProxyInstance(part.getClassLoader(), new Class<?>[] {part}, (proxy, method, arguments) -> {
                    meanwhile.run();
                    throw new UnsupportedOperationException("device gone");
                }));
    }
}
