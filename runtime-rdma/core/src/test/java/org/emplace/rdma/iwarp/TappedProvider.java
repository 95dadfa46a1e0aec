// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.tcp.Wire;

/** Software iWARP that keeps a view of every byte range that its socket calls were given, for tests of the layers above. */
public final class TappedProvider {
    private final Queue<ByteBuffer> written = new ConcurrentLinkedQueue<>();
    private final Queue<ByteBuffer> filled = new ConcurrentLinkedQueue<>();
    private final RdmaProvider provider;

    public TappedProvider() throws RdmaException {
        provider = IwarpProvider.open(IwarpOptions.DEFAULTS, this::tap);
    }

    public RdmaProvider provider() {
        return provider;
    }

    /** How many bytes were written to sockets from memory that is now full of {@code value}. */
    public long writtenFrom(byte value) {
        return viewed(written, value);
    }

    /** How many bytes were read from sockets into memory that is now full of {@code value}. */
    public long filledInto(byte value) {
        return viewed(filled, value);
    }

    private Wire tap(Wire wire) {
        return new Wire() {
            @Override
            public long read(ByteBuffer[] targets, int count) throws IOException {
                ByteBuffer[] before = views(targets);
                long moved = wire.read(targets, count);
                keep(before, moved, filled);
                return moved;
            }

            @Override
            public long write(ByteBuffer[] sources, int offset, int count) throws IOException {
                ByteBuffer[] before = views(sources);
                long moved = wire.write(sources, offset, count);
                keep(before, moved, written);
                return moved;
            }
        };
    }

    private static ByteBuffer[] views(ByteBuffer[] buffers) {
        ByteBuffer[] views = new ByteBuffer[buffers.length];
        for (int i = 0; i < buffers.length; i++) {
            ByteBuffer buffer = buffers[i];
            views[i] = buffer == null ? ByteBuffer.allocate(0) : buffer.slice();
        }
        return views;
    }

    private static void keep(ByteBuffer[] views, long moved, Queue<ByteBuffer> kept) {
        long left = moved;
        for (ByteBuffer view : views) {
            int here = (int) Math.min(Math.max(left, 0), view.remaining());
            kept.add(view.slice(0, here));
            left -= here;
        }
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
}
