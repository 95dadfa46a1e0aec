// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.framing.Wire;

/** Records a view of the bytes that each socket call moved, in the memory that the call was given. */
public final class Wiretap {
    private final Queue<ByteBuffer> written = new ConcurrentLinkedQueue<>();
    private final Queue<ByteBuffer> filled = new ConcurrentLinkedQueue<>();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    private final Set<Thread> writers = ConcurrentHashMap.newKeySet();

    /** Forgets the bytes that were moved. */
    void clear() {
        written.clear();
        filled.clear();
    }

    /** The number of bytes that were written to sockets. */
    long written() {
        return written.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    /** The number of bytes that were read from sockets. */
    long filled() {
        return filled.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    /** The number of bytes that were written to sockets from memory that is now filled with {@code value}. */
    public long writtenFrom(byte value) {
        return viewed(written, value);
    }

    /** The number of bytes that were read from sockets into memory that is now filled with {@code value}. */
    public long filledInto(byte value) {
        return viewed(filled, value);
    }

    private static long viewed(Queue<ByteBuffer> views, byte value) {
        return views.stream()
                .filter(view -> isFull(view, value))
                .mapToLong(ByteBuffer::remaining)
                .sum();
    }

    private static boolean isFull(ByteBuffer view, byte value) {
        for (int i = 0; i < view.limit(); i++) {
            if (view.get(i) != value) {
                return false;
            }
        }
        return true;
    }

    /** The threads that have written to sockets. */
    Set<Thread> writers() {
        return writers;
    }

    /** The number of read calls. */
    int reads() {
        return reads.get();
    }

    /** The number of write calls. */
    int writes() {
        return writes.get();
    }

    /** Opens software iWARP whose socket calls are recorded. */
    public RdmaProvider open() throws RdmaException {
        return IwarpProvider.open(IwarpOptions.DEFAULTS, this::on);
    }

    Wire on(Wire wire) {
        return new Wire() {
            @Override
            public long read(ByteBuffer[] targets, int count) throws IOException {
                reads.incrementAndGet();
                int[] before = positions(targets, 0, count);
                long moved = wire.read(targets, count);
                keep(targets, 0, before, filled);
                return moved;
            }

            @Override
            public long write(ByteBuffer[] sources, int offset, int count) throws IOException {
                writes.incrementAndGet();
                writers.add(Thread.currentThread());
                int[] before = positions(sources, offset, count);
                long moved = wire.write(sources, offset, count);
                keep(sources, offset, before, written);
                return moved;
            }
        };
    }

    private static int[] positions(ByteBuffer[] buffers, int offset, int count) {
        int[] positions = new int[count];
        for (int i = 0; i < count; i++) {
            assertThat(buffers[offset + i].isDirect()).isTrue();
            positions[i] = buffers[offset + i].position();
        }
        return positions;
    }

    private static void keep(ByteBuffer[] buffers, int offset, int[] before, Queue<ByteBuffer> kept) {
        for (int i = 0; i < before.length; i++) {
            ByteBuffer buffer = buffers[offset + i];
            if (buffer.position() > before[i]) {
                kept.add(buffer.slice(before[i], buffer.position() - before[i]));
            }
        }
    }
}
