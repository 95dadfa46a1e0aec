// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.raw;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.emplace.benchmarks.load.Load;

/** The direct memory for one direction of one end, kept between exchanges so that none of them pays for new pages. */
final class BlockMemory {
    /** Messages of at most this length have no payload. */
    private static final int HEADER = 128;

    private ByteBuffer memory = ByteBuffer.allocateDirect(HEADER);

    /** Buffers of a size: one for messages without payload, else as many as fit. The next call may return the same memory. */
    List<ByteBuffer> buffers(int size) {
        if (memory.capacity() < size) {
            memory = ByteBuffer.allocateDirect(Load.MEMORY);
        }
        int number = size <= HEADER ? 1 : memory.capacity() / size;
        return IntStream.range(0, number)
                .mapToObj(i -> memory.slice(i * size, size))
                .toList();
    }
}
