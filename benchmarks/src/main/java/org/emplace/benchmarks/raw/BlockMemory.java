// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.raw;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.emplace.benchmarks.load.Load;

/** The direct memory of one direction of one end, kept from one exchange to the next so that none of them pays for new pages. */
final class BlockMemory {
    /** Messages up to here carry no payload. */
    private static final int HEADER = 128;

    private ByteBuffer memory = ByteBuffer.allocateDirect(HEADER);

    /** Buffers of a size: one for what has no payload, else as many as there is room for; the next call may give the same memory. */
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
