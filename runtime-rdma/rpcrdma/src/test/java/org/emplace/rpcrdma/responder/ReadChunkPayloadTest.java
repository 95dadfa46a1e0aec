// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.link.ConnectionReceives.Own;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.TestLink;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.rpcrdma.responder.ArgumentItems.ReadChunkPayload;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a fetch leaves behind that cannot begin. */
final class ReadChunkPayloadTest {
    private final AtomicBoolean replied = new AtomicBoolean();

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final Own receives = new Own(new RegisteredPool(provider, 1 << 20), 1024, 1, 1);
    private final IncomingRdmaCall call = receivedCall();
    private final ReadChunkPayload payload =
            new ReadChunkPayload(new ReadChunk(44, List.of(new RemoteSegment(1, 0, 100))), call);
    private Runnable meanwhile = () -> {};
    private Throwable failure = new UnsupportedOperationException("device gone");

    ReadChunkPayloadTest() throws Exception {}

    @Test
    void theReplyDoesNotWaitForACopyThatCouldNotBegin() {
        assertFailsToCopy();

        call.answer(() -> replied.set(true));
        assertThat(replied).isTrue();
    }

    @Test
    void aReplyGivenMeanwhileLeavesWhenTheCopyFails() {
        meanwhile = () -> call.answer(() -> replied.set(true));

        assertFailsToCopy();

        assertThat(replied).isTrue();
    }

    @Test
    void aReplyGivenMeanwhileLeavesWhenTheFetchInPlaceFails() {
        meanwhile = () -> call.answer(() -> replied.set(true));

        assertThatThrownBy(() -> payload.fetchInto(ByteBuffer.allocateDirect(100)))
                .hasMessage("device gone");

        assertThat(replied).isTrue();
    }

    @Test
    void aSinkThatCannotBeRegisteredFailsTheFetch() {
        failure = new RdmaException(RdmaException.Reason.NO_RESOURCES, "no more regions");

        assertThat(payload.fetchInto(ByteBuffer.allocateDirect(100)).toCompletableFuture())
                .isCompletedExceptionally();
        call.answer(() -> replied.set(true));
        assertThat(replied).isTrue();
    }

    private void assertFailsToCopy() {
        assertThat(payload.fetchInto(ByteBuffer.allocate(100)).toCompletableFuture())
                .isCompletedExceptionally();
        assertThatThrownBy(payload.fetched()::join).cause().hasMessage("device gone");
    }

    private IncomingRdmaCall receivedCall() {
        // Its provider throws at every call.
        Link link =
                TestLink.over(broken(QueuePair.class), broken(Timekeeper.class), broken(RdmaProvider.class), receives);
        return ArgumentItemsTest.receivedCall(link, TestLink.received(receives));
    }

    private <T> T broken(Class<T> part) {
        return part.cast(
                Proxy.newProxyInstance(part.getClassLoader(), new Class<?>[] {part}, (proxy, method, arguments) -> {
                    meanwhile.run();
                    throw failure;
                }));
    }
}
