// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.Completion;
import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.transport.Timekeeper;
import org.emplace.rpcrdma.header.ReadChunk;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.Links;
import org.emplace.rpcrdma.link.OwnReceives;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How a chunk is fetched, and that a peer must let it be read within a second, by a clock that the test advances. */
final class ChunkFetcherTest {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final Clock clock = new Clock();
    private final List<WorkRequest> posted = new ArrayList<>();
    private final List<Status> ended = new ArrayList<>();
    private final MemoryRegion memory;
    private final Link link;
    private final ChunkFetcher fetcher;
    private boolean closed;

    ChunkFetcherTest() throws Exception {
        memory = provider.register(ByteBuffer.allocateDirect(1000));
        OwnReceives receives = new OwnReceives(new RegisteredPool(provider, 1 << 20), 1024, 1, 1);
        link = Links.over(queuePair(), clock, provider, receives);
        fetcher = new ChunkFetcher(link, 1 << 20);
    }

    @Test
    void asManyBytesAreReadAsTheSinkHasAndNoneOfEmptySegments() {
        RemoteSegment first = new RemoteSegment(7, 5000, 10);
        RemoteSegment second = new RemoteSegment(8, 6000, 20);
        ReadChunk chunk =
                new ReadChunk(44, List.of(first, new RemoteSegment(9, 0, 0), second, new RemoteSegment(10, 0, 4)));
        fetcher.fetch(chunk, memory.segment(100, 27), ended::add);

        assertThat(posted)
                .containsExactly(
                        new WorkRequest.Read(0, memory.segment(100, 10), first),
                        new WorkRequest.Read(0, memory.segment(110, 17), new RemoteSegment(8, 6000, 17)));
        end(0);
        assertThat(ended).isEmpty();
        end(1);
        assertThat(ended).containsExactly(Status.SUCCESS);
    }

    @Test
    void whereThereIsNothingToReadItEndsAtOnce() {
        fetcher.fetch(new ReadChunk(44, List.of(new RemoteSegment(7, 0, 0))), memory.segment(0, 0), ended::add);

        assertThat(ended).containsExactly(Status.SUCCESS);
        assertThat(posted).isEmpty();
        assertThat(clock.due).isEmpty();
    }

    @Test
    void aPeerThatLetsNothingBeReadInTimeLosesItsConnection() {
        fetch();
        clock.pass(LIMIT.minusNanos(1));
        assertThat(closed).isFalse();

        clock.pass(Duration.ofNanos(1));
        assertThat(closed).isTrue();
    }

    @Test
    void theNextFetchHasItsOwnTime() {
        fetch();
        clock.pass(LIMIT.dividedBy(2));
        fetch();
        end(0);
        clock.pass(LIMIT.minusNanos(1).minus(LIMIT.dividedBy(2)));
        clock.pass(LIMIT.dividedBy(2));
        assertThat(closed).isFalse();

        clock.pass(Duration.ofNanos(1));
        assertThat(closed).isTrue();
    }

    @Test
    void fetchesMayEndInAnyOrder() {
        fetch();
        fetch();
        fetch();
        end(1);
        end(0);
        end(2);
        clock.pass(LIMIT);

        assertThat(closed).isFalse();
        assertThat(clock.due).as("nothing is waited for").isEmpty();
        fetch();
        assertThat(clock.due).hasSize(1);
    }

    @Test
    void nothingIsWaitedForOnceTheConnectionIsOver() {
        fetch();
        fetcher.disconnected();
        assertThat(clock.due).isEmpty();

        fetch();
        assertThat(clock.due).isEmpty();
    }

    private void fetch() {
        fetcher.fetch(new ReadChunk(44, List.of(new RemoteSegment(7, 0, 10))), memory.segment(0, 10), ended::add);
    }

    /** Completes one of the Reads. */
    private void end(int index) {
        link.sends().completed(Completion.success(posted.get(index)));
    }

    private QueuePair queuePair() {
        return (QueuePair) Proxy.newProxyInstance(
                QueuePair.class.getClassLoader(), new Class<?>[] {QueuePair.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("post")) {
                        ((List<?>) arguments[0]).forEach(request -> posted.add((WorkRequest) request));
                    } else if (method.getName().equals("close")) {
                        closed = true;
                    }
                    return null;
                });
    }

    /** Keeps the fetcher's timers, which have the shorter delays. */
    private static final class Clock implements Timekeeper {
        private final List<Due> due = new ArrayList<>();
        private long now;

        private record Due(long at, Runnable task) {}

        void pass(Duration time) {
            now += time.toNanos();
            for (Due each : List.copyOf(due)) {
                if (each.at <= now) {
                    due.remove(each);
                    each.task.run();
                }
            }
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public Timer after(Duration delay, Runnable task) {
            if (delay.compareTo(LIMIT) > 0) {
                return () -> {};
            }
            Due next = new Due(now + delay.toNanos(), task);
            due.add(next);
            return () -> due.remove(next);
        }
    }
}
