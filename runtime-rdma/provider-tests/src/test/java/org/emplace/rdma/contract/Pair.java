// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Status;

/** Two connected queue pairs of two providers. */
public final class Pair implements AutoCloseable {
    public final Side initiator;
    public final Side responder;

    private Pair(Side initiator, Side responder) {
        this.initiator = initiator;
        this.responder = responder;
    }

    static Pair connected() throws Exception {
        return connected(new RecordingHandler(), new RecordingHandler());
    }

    public static Pair connected(ProviderUnderTest.Variant variant) throws Exception {
        return connected(variant, variant);
    }

    public static Pair connected(ProviderUnderTest.Variant initiator, ProviderUnderTest.Variant responder)
            throws Exception {
        return connect(
                new Side(initiator.open(), new RecordingHandler()), new Side(responder.open(), new RecordingHandler()));
    }

    static Pair connected(RecordingHandler initiator, RecordingHandler responder) throws Exception {
        RdmaProvider connecting = ProviderUnderTest.CHOSEN.open();
        RdmaProvider listening = ProviderUnderTest.CHOSEN.open();
        return connect(new Side(connecting, initiator), new Side(listening, responder));
    }

    /** Makes another connection of the same two providers. */
    Pair another() throws Exception {
        return connect(
                new Side(initiator.provider, new RecordingHandler()),
                new Side(responder.provider, new RecordingHandler()));
    }

    private static Pair connect(Side initiator, Side responder) throws Exception {
        try (RdmaListener listener = responder.provider.listen(
                ProviderUnderTest.CHOSEN.anyPort(),
                request -> request.accept(responder.parameters("pong"), responder.handler))) {
            initiator
                    .provider
                    .connect(listener.localAddress(), initiator.parameters("ping"), initiator.handler)
                    .toCompletableFuture()
                    .get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS);
            assertThat(initiator.queuePair().remotePrivateData()).startsWith(Side.bytes("pong"));
            assertThat(responder.queuePair().remotePrivateData()).startsWith(Side.bytes("ping"));
            return new Pair(initiator, responder);
        }
    }

    /**
     * Sends a message in each direction. Afterward the connection is known to work, and all earlier messages of the
     * initiator have arrived.
     */
    void greet() throws Exception {
        for (Side from : new Side[] {initiator, responder}) {
            Side to = from == initiator ? responder : initiator;
            try (MemoryRegion greeting = from.noise(16)) {
                from.post(Side.send(77, greeting));
                Completion received = to.handler.next();
                assertThat(received.status()).isEqualTo(Status.SUCCESS);
                assertThat(to.received(received.id(), 16)).isEqualTo(greeting.buffer());
                to.queuePair().postReceive(to.receive(received.id()));
                assertThat(from.handler.next().id()).isEqualTo(77);
            }
        }
    }

    @Override
    public void close() {
        initiator.provider.close();
        responder.provider.close();
    }
}
