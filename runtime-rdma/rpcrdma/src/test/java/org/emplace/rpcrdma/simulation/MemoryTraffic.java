// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.simulation;

import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** Transfers to and from the memory of one end of a connection: the second half is moved some time after the first, as memory then is. */
final class MemoryTraffic {
    private final Schedule schedule;
    private int transfers;

    MemoryTraffic(Schedule schedule) {
        this.schedule = schedule;
    }

    /** Whether a transfer is in progress. */
    boolean isMoving() {
        return transfers > 0;
    }

    /**
     * Copies {@code length} bytes from the beginning of one buffer to that of another.
     *
     * @param source asked for its bytes at each half
     */
    void move(Supplier<ByteBuffer> source, ByteBuffer sink, int length, Runnable done) {
        int half = length / 2;
        transfers++;
        sink.put(0, source.get(), 0, half);
        schedule.soon(() -> {
            sink.put(half, source.get(), half, length - half);
            transfers--;
            done.run();
        });
    }
}
