// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The pool's registrations, according to the provider's counters. */
final class RegisteredPoolTest {
    private static final int LIMIT = 1 << 20;
    private static final int LARGE = 16 << 20;

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private RegisteredPool pool = new RegisteredPool(provider, LIMIT);

    RegisteredPoolTest() throws Exception {}

    @Test
    void theReceivesOfAConnectionNeedFewRegistrations() throws Exception {
        pool = new RegisteredPool(provider, LARGE);
        acquire(80, 4096);

        assertThat(registrations()).isEqualTo(2);
        assertThat(bytesHeld()).isEqualTo(128 * 4096);
    }

    @Test
    void idleBuffersOfOneSizeLeaveTheirPartOfThePoolToBuffersOfAnother() throws Exception {
        pool = new RegisteredPool(provider, LARGE);
        acquire(128, 16 * 1024).forEach(PooledBuffer::release);
        long before = registrations();

        acquire(80, 4096);

        assertThat(registrations() - before).isEqualTo(2);
    }

    @Test
    void buffersOfOneRegistrationDoNotOverlap() throws Exception {
        pool = new RegisteredPool(provider, LARGE);
        List<PooledBuffer> buffers = acquire(64, 4000);
        Set<Integer> starts = new HashSet<>();
        for (PooledBuffer buffer : buffers) {
            MemorySegment all = buffer.segment(0, 4096);
            starts.add(all.offset());
            assertThat(all.offset() % 4096).isZero();
            assertThat(buffer.buffer().capacity()).isEqualTo(4096);
        }

        assertThat(starts).hasSize(64);
        assertThatThrownBy(() -> buffers.get(0).segment(4095, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aClosedPoolDeregistersWhatIsFreeAndTheRestWhenItIsReleased() throws Exception {
        PooledBuffer held = pool.acquire(1024);
        pool.acquire(100_000).release();

        pool.close();

        assertThat(bytesHeld()).isEqualTo(64 * 1024);
        assertThatThrownBy(() -> pool.acquire(1024))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("the runtime is closed");
        held.release();
        assertThat(bytesHeld()).isZero();
    }

    @Test
    void aSegmentIsTheBuffersOwnMemory() throws Exception {
        acquire(1, 2000);
        PooledBuffer second = pool.acquire(2000);
        second.buffer().putInt(100, 42);

        assertThat(second.segment(100, 4).buffer().getInt()).isEqualTo(42);
    }

    @Test
    void aLargeBufferIsRegisteredByItself() throws Exception {
        pool.acquire(LIMIT - 1).release();
        pool.acquire(LIMIT);

        assertThat(registrations()).isEqualTo(1);
        assertThat(bytesHeld()).isEqualTo(LIMIT);
    }

    @Test
    void idleSlabsAreReplacedByBuffersOfAnotherSize() throws Exception {
        acquire(200, 2000).forEach(PooledBuffer::release);
        pool.acquire(LIMIT).release();
        acquire(64, 1024);

        assertThat(bytesHeld()).isEqualTo(64 * 1024);
    }

    @Test
    void aSlabWithABufferInUseStaysRegistered() throws Exception {
        List<PooledBuffer> buffers = acquire(64, 1024);
        buffers.subList(1, 64).forEach(PooledBuffer::release);

        assertThatThrownBy(() -> pool.acquire(LIMIT))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NO_RESOURCES));
        buffers.get(0).release();
        pool.acquire(LIMIT);
    }

    @Test
    void allMemoryUpToTheLimitCanBeAcquired() throws Exception {
        acquire(1, 4096);
        acquire(LIMIT / 1024 - 32 * 4, 1024);

        assertThat(bytesHeld()).isEqualTo(LIMIT);
        assertThatThrownBy(() -> pool.acquire(1)).isInstanceOf(RdmaException.class);
        acquire(31, 4096);
    }

    @Test
    void oneBufferHeldOfEachSlabLeavesTheRestToOthers() throws Exception {
        pool = new RegisteredPool(provider, LARGE);
        List<PooledBuffer> buffers = acquire(LARGE / 8 * 5 / 16384, 16384);
        for (int i = 0; i < buffers.size(); i++) {
            if (i % 64 != 0) {
                buffers.get(i).release();
            }
        }

        assertThat(pool.acquire(LARGE / 2).buffer().capacity()).isEqualTo(LARGE / 2);
    }

    @Test
    void buffersShareFewSlabsOnceAnEighthOfThePoolIsShared() throws Exception {
        pool = new RegisteredPool(provider, LARGE);
        acquire(LARGE / 8 / 1024, 1024);
        long shared = registrations();
        acquire(8, 1024);
        acquire(2, 65536);

        assertThat(shared).isEqualTo(LARGE / 8 / 65536);
        assertThat(registrations()).isEqualTo(shared + 2 + 2);
        assertThat(bytesHeld()).isEqualTo(LARGE / 8 + 2 * 4096 + 2 * 65536);
    }

    @Test
    void releasingABufferTwiceFailsAndReleasesItOnce() throws Exception {
        PooledBuffer buffer = pool.acquire(LIMIT / 2);
        buffer.release();
        assertThatThrownBy(buffer::release).isInstanceOf(AssertionError.class);
        acquire(2, LIMIT / 2);

        assertThatThrownBy(() -> pool.acquire(LIMIT / 2)).isInstanceOf(RdmaException.class);
    }

    /** With assertions, which are enabled in tests. */
    @Test
    void everyUseOfABufferByAFormerHolderFails() throws Exception {
        PooledBuffer former = pool.acquire(4096);
        ByteBuffer view = former.buffer().putInt(0, 7);
        former.release();
        assertThat(view.getInt(0)).isNotEqualTo(7);
        PooledBuffer next = pool.acquire(4096);
        next.view().putInt(0, 8);
        assertThat(view.getInt(0)).as("the same memory").isEqualTo(8);

        List<ThrowingCallable> uses = List.of(
                former::buffer,
                former::view,
                () -> former.decoder(4),
                () -> former.segment(0, 4),
                () -> former.gather(0, 4),
                former::release);
        assertThat(uses)
                .allSatisfy(use -> assertThatThrownBy(use)
                        .isInstanceOf(AssertionError.class)
                        .hasMessage("a pooled buffer is used after its release"));
        next.release();
    }

    @Test
    void registeringMemoryBlocksNoOtherThread() throws Exception {
        poolThatRegisters(() -> CompletableFuture.supplyAsync(this::another)
                .orTimeout(20, TimeUnit.SECONDS)
                .join());

        assertThat(pool.acquire(4096).buffer().capacity()).isEqualTo(4096);
        assertThat(registrations()).isEqualTo(2);
    }

    @Test
    void aFailedRegistrationDoesNotCountTowardTheLimit() throws Exception {
        poolThatRegisters(() -> {
            throw new IllegalStateException("as the test wants it");
        });
        assertThatThrownBy(() -> pool.acquire(LIMIT)).isInstanceOf(IllegalStateException.class);

        pool.acquire(LIMIT);
    }

    /** @param once run when memory is registered for the first time */
    private void poolThatRegisters(Runnable once) {
        pool = new RegisteredPool(OneDevice.watched(provider, new AtomicReference<>(once)), LIMIT);
    }

    private PooledBuffer another() {
        try {
            return pool.acquire(4096);
        } catch (RdmaException exhausted) {
            throw new UncheckedIOException(exhausted);
        }
    }

    private List<PooledBuffer> acquire(int count, int size) throws RdmaException {
        List<PooledBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            buffers.add(pool.acquire(size));
        }
        return buffers;
    }

    private long registrations() {
        return provider.statistics().registrations();
    }

    private long bytesHeld() {
        return provider.statistics().bytesHeld();
    }
}
