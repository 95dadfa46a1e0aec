// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.awaitility.Awaitility;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.contract.Pair;
import org.emplace.rdma.contract.RecordingHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work that many threads post, whichever thread carries it out. */
@Timeout(60)
final class PostingThreadsTest {
    private static final int THREADS = 4;
    private static final int WRITES = 500;

    @Test
    void eachThreadsWorkKeepsItsOrder() throws Exception {
        try (Pair pair = Pair.connected(() -> IwarpProvider.open(IwarpOptions.DEFAULTS))) {
            MemoryRegion source = pair.initiator.region(4 * WRITES);
            for (int i = 0; i < WRITES; i++) {
                source.buffer().putInt(4 * i, i + 1);
            }
            MemoryRegion sink = pair.responder.region(4 * THREADS);
            QueuePair posting = pair.initiator.queuePair();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                RemoteSegment target = pair.responder
                        .queuePair()
                        .expose(sink.segment(4 * t, 4), Right.REMOTE_WRITE)
                        .advertised();
                threads.add(new Thread(() -> {
                    for (int i = 0; i < WRITES; i++) {
                        posting.post(new WorkRequest.Write(i, List.of(source.segment(4 * i, 4)), target));
                    }
                    posting.post(List.of(new WorkRequest.Send(WRITES, List.of(), OptionalInt.empty())));
                }));
            }
            threads.forEach(Thread::start);

            assertSuccesses(pair.responder.handler, THREADS);
            for (int t = 0; t < THREADS; t++) {
                assertThat(sink.buffer().getInt(4 * t)).isEqualTo(WRITES);
            }
            assertSuccesses(pair.initiator.handler, THREADS * (WRITES + 1));
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    @Test
    void whoPostsToAConnectionAtRestWritesToItsSocket() throws Exception {
        Wiretap wiretap = new Wiretap();
        try (Pair pair = Pair.connected(wiretap::open, () -> IwarpProvider.open(IwarpOptions.DEFAULTS))) {
            MemoryRegion sink = pair.responder.region(4);
            MemoryRegion source = pair.initiator.region(4);
            RemoteSegment target = pair.responder
                    .queuePair()
                    .expose(sink.segment(0, 4), Right.REMOTE_WRITE)
                    .advertised();

            // If the loop is awake, it carries out the work itself.
            Awaitility.await().until(() -> {
                pair.initiator.post(new WorkRequest.Write(1, List.of(source.segment(0, 4)), target));
                return wiretap.writers().contains(Thread.currentThread());
            });
        }
    }

    private static void assertSuccesses(RecordingHandler handler, int completions) throws Exception {
        for (int i = 0; i < completions; i++) {
            assertThat(handler.next().status()).isEqualTo(Status.SUCCESS);
        }
    }
}
