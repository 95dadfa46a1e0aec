// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.grpc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.emplace.benchmarks.load.Load;

/** Memory that received messages use in rotation. Safe for use by several threads. */
final class RotatingMemory implements IntFunction<Block> {
    private final byte[] memory = new byte[Load.MEMORY];
    private final AtomicInteger next = new AtomicInteger();

    @Override
    public Block apply(int length) {
        int places = memory.length / Math.max(length, 1);
        return new Block(memory, Math.floorMod(next.getAndIncrement(), places) * length, length);
    }

    byte[] bytes() {
        return memory;
    }
}
