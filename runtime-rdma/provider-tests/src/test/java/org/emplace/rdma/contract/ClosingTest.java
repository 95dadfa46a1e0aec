// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections end, whatever is in progress. */
final class ClosingTest {
    @AutoClose
    private final Pair pair = Pair.connected();

    ClosingTest() throws Exception {}

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anOrderlyCloseIsOrderlyForBoth(boolean byTheInitiator) throws Exception {
        Side closing = byTheInitiator ? pair.initiator : pair.responder;
        pair.greet();
        closing.queuePair().close();
        closing.queuePair().close();
        for (Side side : List.of(pair.initiator, pair.responder)) {
            assertThat(side.handler.end()).isEmpty();
            assertThat(side.handler.rest())
                    .hasSize(Side.RECEIVES)
                    .allMatch(c -> c.operation() == Operation.RECEIVE && c.status() == Status.FLUSHED);
        }
    }

    @Test
    void workInFlightIsReportedOnceBeforeTheEnd() throws Exception {
        int count = 200;
        Load load = new Load(pair.initiator, pair.responder);
        for (int i = 0; i < count; i++) {
            load.post(100 + i);
        }
        pair.initiator.queuePair().close();
        pair.initiator.handler.end();
        pair.responder.handler.end();
        List<Completion> completions = pair.initiator.handler.rest();
        assertThat(completions).allMatch(c -> c.status() == Status.SUCCESS || c.status() == Status.FLUSHED);
        assertThat(completions)
                .extracting(Completion::id)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.concat(IntStream.range(0, Side.RECEIVES), IntStream.range(100, 100 + count))
                                .boxed()
                                .toList());
    }

    @Test
    void workPostedAfterTheEndIsIgnored() throws Exception {
        MemoryRegion memory = pair.initiator.region(16);
        pair.initiator.queuePair().close();
        pair.initiator.handler.end();
        int completions = pair.initiator.handler.rest().size();
        pair.initiator.post(Side.send(1, memory));
        pair.initiator.queuePair().postReceive(pair.initiator.receive(1));
        pair.initiator.queuePair().close();
        pair.another().greet();
        assertThat(pair.initiator.handler.rest()).hasSize(completions);
        pair.initiator.handler.end();
    }

    @Test
    void anyThreadMayCloseWhileOthersPost() throws Exception {
        for (int round = 0; round < 5; round++) {
            try (Pair racing = Pair.connected()) {
                List<CompletableFuture<Void>> threads = new ArrayList<>();
                AtomicInteger ids = new AtomicInteger(100);
                for (int i = 0; i < 3; i++) {
                    Load load = new Load(racing.initiator, racing.responder);
                    threads.add(inThread(() -> {
                        while (!racing.initiator.handler.hasEnded()) {
                            if (ids.get() - racing.initiator.handler.rest().size() < 500) {
                                load.post(ids.getAndIncrement());
                            }
                        }
                    }));
                }
                for (int i = 0; i < 20; i++) {
                    racing.initiator.handler.next();
                }
                for (Side side : List.of(racing.initiator, racing.responder, racing.initiator)) {
                    threads.add(inThread(() -> side.queuePair().close()));
                }
                for (CompletableFuture<Void> thread : threads) {
                    thread.get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS);
                }
                racing.initiator.handler.end();
                racing.responder.handler.end();
                List<Completion> completions = racing.initiator.handler.rest();
                Set<Integer> reported = new HashSet<>();
                completions.forEach(completion -> reported.add(completion.id()));
                assertThat(reported).hasSameSizeAs(completions);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aProviderClosesUnderLoad(boolean theInitiators) throws Exception {
        List<Pair> pairs = new ArrayList<>(List.of(pair));
        for (int i = 0; i < 7; i++) {
            pairs.add(pair.another());
        }
        for (Pair each : pairs) {
            Load load = new Load(each.initiator, each.responder);
            for (int i = 0; i < 50; i++) {
                load.post(100 + i);
            }
        }
        Side closing = theInitiators ? pair.initiator : pair.responder;
        inThread(closing.provider::close).get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS);
        for (Pair each : pairs) {
            assertThat((theInitiators ? each.initiator : each.responder).handler.hasEnded())
                    .isTrue();
            each.initiator.handler.end();
            each.responder.handler.end();
            assertThat(each.initiator.handler.rest()).hasSize(Side.RECEIVES + 50);
        }
    }

    @Test
    void workPostedBeforeTheEndIsReportedByABusyProvider() throws Exception {
        StallingHandler busy = new StallingHandler();
        try (Pair stalling = Pair.connected(busy, new RecordingHandler())) {
            MemoryRegion first = stalling.initiator.noise(10);
            QueuePair queuePair = stalling.initiator.queuePair();
            // The posting thread may be the one that calls the handler.
            CompletableFuture<Void> posting =
                    CompletableFuture.runAsync(() -> queuePair.post(List.of(Side.send(100, first))));
            busy.awaitStall();
            stalling.responder.queuePair().close();
            for (int i = 1; i < 10; i++) {
                stalling.initiator.post(Side.send(100 + i, stalling.initiator.noise(10)));
            }
            busy.release();
            busy.end();
            assertThat(posting).succeedsWithin(Duration.ofSeconds(RecordingHandler.TIMEOUT_SECONDS));
            assertThat(busy.rest())
                    .extracting(Completion::id)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.concat(IntStream.range(0, Side.RECEIVES), IntStream.range(100, 110))
                                    .boxed()
                                    .toList());
        }
    }

    @Test
    void workOnAClosedRegionFailsUnlessItIsDoneBefore() throws Exception {
        Load load = new Load(pair.initiator, pair.responder);
        for (int i = 0; i < 100; i++) {
            load.post(100 + i);
        }
        load.local.close();
        load.local.close();
        load.post(200);
        pair.initiator.handler.end();
        pair.responder.handler.end();
        List<Completion> completions = pair.initiator.handler.rest();
        assertThat(completions)
                .extracting(Completion::id)
                .doesNotHaveDuplicates()
                .containsAll(IntStream.concat(IntStream.range(0, Side.RECEIVES), IntStream.range(100, 200))
                        .boxed()
                        .toList());
        assertThat(completions).anyMatch(c -> c.status() == Status.LOCAL_ERROR);
        assertThat(load.local.buffer().remaining()).isEqualTo(Load.LENGTH);
    }

    @Test
    void memoryOutlivesItsProvider() throws Exception {
        MemoryRegion region = pair.initiator.noise(100);
        ByteBuffer before = ByteBuffer.allocate(100).put(region.buffer()).flip();
        pair.close();
        assertThat(region.buffer()).isEqualTo(before);
        region.close();
        region.close();
        assertThat(region.buffer()).isEqualTo(before);
    }

    @Test
    void aPeerThatVanishesIsReportedAsLostOrClosed() throws Exception {
        pair.responder.provider.close();
        assertThat(pair.initiator.handler.end())
                .map(RdmaException::reason)
                .isIn(Optional.empty(), Optional.of(Reason.DISCONNECTED));
    }

    /** Alternating Writes and Reads between memory of the two sides. */
    private static final class Load {
        static final int LENGTH = 100_000;

        private final Side side;
        private final MemoryRegion local;
        private final RemoteSegment writable;
        private final RemoteSegment readable;

        Load(Side side, Side peer) throws Exception {
            this.side = side;
            local = side.region(LENGTH);
            writable = peer.queuePair()
                    .expose(peer.region(LENGTH).segment(0, LENGTH), Right.REMOTE_WRITE)
                    .advertised();
            readable = peer.queuePair()
                    .expose(peer.region(LENGTH).segment(0, LENGTH), Right.REMOTE_READ)
                    .advertised();
        }

        void post(int id) throws Exception {
            side.post(
                    id % 2 == 0
                            ? new WorkRequest.Write(id, List.of(local.segment(0, LENGTH)), writable)
                            : new WorkRequest.Read(id, local.segment(0, LENGTH), readable));
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> inThread(Action action) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                action.run();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return done;
    }
}
