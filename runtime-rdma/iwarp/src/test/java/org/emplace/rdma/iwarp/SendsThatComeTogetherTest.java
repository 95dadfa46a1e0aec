// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.emplace.rdma.Completion;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.PrivateData;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePairHandler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.ReceiveRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A consumer that reposts each Receive when it completes loses no Send, however many arrive in one read. */
@Timeout(60)
final class SendsThatComeTogetherTest {
    private static final int SENDS = 10;

    @Test
    void eachFindsTheReceiveThatWasPostedForTheLast() throws Exception {
        try (IwarpProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS)) {
            Reposting handler = new Reposting(provider.register(ByteBuffer.allocateDirect(16)));
            RdmaListener listener = provider.listen(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    request -> request.accept(handler.parameters(), handler));
            try (RawPeer peer = RawPeer.connectedTo(listener.localAddress())) {
                peer.sendMpa("MPA ID Req Frame", RawPeerSession.REQUEST);
                peer.receive(24);
                ByteArrayOutputStream sends = new ByteArrayOutputStream();
                for (int i = 1; i <= SENDS; i++) {
                    sends.write(RawPeer.fpdu(RawPeer.hex(String.format("4143 00000000 00000000 %08x 00000000 0a", i))));
                }
                peer.send(sends.toByteArray());
                for (int i = 0; i < SENDS; i++) {
                    assertThat(handler.completions.poll(20, TimeUnit.SECONDS))
                            .isEqualTo(Completion.success(5, Completion.Operation.RECEIVE, 1));
                }
                peer.finish();
                assertThat(handler.end.get(20, TimeUnit.SECONDS)).isEqualTo("null");
            }
        }
    }

    /** Has one Receive, which it posts again whenever it completes. */
    private static final class Reposting implements QueuePairHandler {
        final BlockingQueue<Completion> completions = new LinkedBlockingQueue<>();
        final CompletableFuture<String> end = new CompletableFuture<>();
        private final CompletableFuture<QueuePair> queuePair = new CompletableFuture<>();
        private final ReceiveRequest receive;

        Reposting(MemoryRegion memory) {
            receive = new ReceiveRequest(5, memory.segment(0, 16));
        }

        ConnectionParameters parameters() {
            return new ConnectionParameters(
                    PrivateData.of(new byte[0]), 1, 1, List.of(receive), Duration.ofSeconds(20));
        }

        @Override
        public void established(QueuePair established) {
            queuePair.complete(established);
        }

        @Override
        public void completed(List<Completion> batch) {
            for (Completion completion : batch) {
                if (completion.status() == Completion.Status.SUCCESS) {
                    completions.add(completion);
                    queuePair.join().postReceive(receive);
                }
            }
        }

        @Override
        public void disconnected(@Nullable RdmaException cause) {
            end.complete(String.valueOf(cause));
        }
    }
}
