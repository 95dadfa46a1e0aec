// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.reactor.ManualClock;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.link.TestLink;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How a chunk is fetched, and that a peer must let it be read within a second, by a clock that the test advances. */
final class ChunkFetcherTest {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private static final int WINDOW = 1 << 16;

    /** The timer of the send queue's watch, which begins with the first Read. */
    private static final int WATCH = 1;

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final ManualClock clock = new ManualClock();
    private final TestLink peer = new TestLink(provider, clock);
    private final List<Status> ended = new ArrayList<>();
    private final MemoryRegion memory = provider.register(ByteBuffer.allocateDirect(1000));
    private final ChunkFetcher fetcher = new ChunkFetcher(peer.link, WINDOW);
    private final IncomingRdmaCall call = ArgumentItemsTest.receivedCall(peer.link, peer.received());

    ChunkFetcherTest() throws Exception {}

    @Test
    void asManyBytesAreReadAsTheSinkHasAndNoneOfEmptySegments() {
        RemoteSegment first = new RemoteSegment(7, 5000, 10);
        RemoteSegment second = new RemoteSegment(8, 6000, 20);
        ReadChunk chunk =
                new ReadChunk(44, List.of(first, new RemoteSegment(9, 0, 0), second, new RemoteSegment(10, 0, 4)));
        fetcher.fetch(chunk, memory.segment(100, 27), ended::add);

        assertThat(peer.posted)
                .containsExactly(
                        new WorkRequest.Read(0, memory.segment(100, 10), first),
                        new WorkRequest.Read(0, memory.segment(110, 17), new RemoteSegment(8, 6000, 17)));
        peer.end(0, Status.SUCCESS);
        assertThat(ended).isEmpty();
        peer.end(1, Status.SUCCESS);
        assertThat(ended).containsExactly(Status.SUCCESS);
    }

    @Test
    void whereThereIsNothingToReadItEndsAtOnce() {
        fetcher.fetch(new ReadChunk(44, List.of(new RemoteSegment(7, 0, 0))), memory.segment(0, 0), ended::add);

        assertThat(ended).containsExactly(Status.SUCCESS);
        assertThat(peer.posted).isEmpty();
        assertThat(clock.scheduled()).isZero();
    }

    @Test
    void aPeerThatLetsNothingBeReadInTimeLosesItsConnection() {
        fetch();
        clock.pass(LIMIT.minusNanos(1));
        assertThat(peer.isClosed()).isFalse();

        clock.pass(Duration.ofNanos(1));
        assertThat(peer.isClosed()).isTrue();
    }

    @Test
    void theNextFetchHasItsOwnTime() {
        fetch();
        clock.pass(LIMIT.dividedBy(2));
        fetch();
        peer.end(0, Status.SUCCESS);
        clock.pass(LIMIT.minusNanos(1).minus(LIMIT.dividedBy(2)));
        clock.pass(LIMIT.dividedBy(2));
        assertThat(peer.isClosed()).isFalse();

        clock.pass(Duration.ofNanos(1));
        assertThat(peer.isClosed()).isTrue();
    }

    @Test
    void fetchesMayEndInAnyOrder() {
        fetch();
        fetch();
        fetch();
        peer.end(1, Status.SUCCESS);
        peer.end(0, Status.SUCCESS);
        peer.end(2, Status.SUCCESS);
        clock.pass(LIMIT);

        assertThat(peer.isClosed()).isFalse();
        assertThat(clock.scheduled()).as("nothing is waited for").isEqualTo(WATCH);
        fetch();
        assertThat(clock.scheduled()).isEqualTo(1 + WATCH);
    }

    @Test
    void nothingIsWaitedForOnceTheConnectionIsOver() {
        fetch();
        fetcher.disconnected();
        assertThat(clock.scheduled()).isEqualTo(WATCH);

        fetch();
        assertThat(clock.scheduled()).isEqualTo(WATCH);
    }

    @Test
    void aFetchWithoutMemoryLeavesTheWindowToOthers() throws Exception {
        PooledBuffer all = peer.link.memory().pool().acquire(1 << 20);
        assertThat(fetchIntoPool(1000)).isCompletedExceptionally();
        all.release();

        assertThat(fetchIntoPool(WINDOW)).isNotDone();
        assertThat(peer.posted).hasSize(1);
    }

    /** Each is an RDMA Read of its own. */
    @Test
    void manyShortSegmentsFillTheWindowAsManyBytesDo() {
        List<RemoteSegment> short4 = Collections.nCopies(WINDOW / 4096, new RemoteSegment(7, 0, 4));
        ReadChunk inShreds = new ReadChunk(44, short4);
        assertThat(fetcher.fetchIntoPool(inShreds, 4 * short4.size(), call)).isNotDone();
        assertThat(fetchIntoPool(4096)).isNotDone();
        assertThat(peer.posted).hasSize(short4.size());

        for (int read = 0; read < short4.size(); read++) {
            peer.end(read, Status.SUCCESS);
        }
        assertThat(peer.posted).hasSize(short4.size() + 1);
    }

    /** Clients register some pages at a time, so a long chunk has several segments. */
    @Test
    void theSegmentsThatALongChunkNeedsFillNoMoreOfTheWindowThanItsBytes() {
        int length = 1 << 17;
        ChunkFetcher ofTwo = new ChunkFetcher(peer.link, 2L * length);
        ReadChunk chunk =
                new ReadChunk(44, List.of(new RemoteSegment(7, 0, length / 2), new RemoteSegment(8, 0, length / 2)));
        assertThat(ofTwo.fetchIntoPool(chunk, length, call)).isNotDone();
        assertThat(ofTwo.fetchIntoPool(chunk, length, call)).isNotDone();
        assertThat(peer.posted).hasSize(4);

        assertThat(ofTwo.fetchIntoPool(chunk, length, call)).isNotDone();
        assertThat(peer.posted).as("beyond the window").hasSize(4);
    }

    @Test
    void fetchesThatWaitEndWithTheConnection() {
        assertThat(fetchIntoPool(WINDOW)).isNotDone();
        assertThat(fetchIntoPool(WINDOW)).isNotDone();
        assertThat(peer.posted).hasSize(1);

        fetcher.disconnected();
        assertThat(peer.posted).as("posted to a connection that is over").hasSize(2);
    }

    private CompletableFuture<ByteBuffer> fetchIntoPool(int length) {
        return fetcher.fetchIntoPool(new ReadChunk(44, List.of(new RemoteSegment(7, 0, length))), length, call);
    }

    private void fetch() {
        fetcher.fetch(new ReadChunk(44, List.of(new RemoteSegment(7, 0, 10))), memory.segment(0, 10), ended::add);
    }
}
