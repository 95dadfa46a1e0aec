// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.raw;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The direct memory of one end, kept from one exchange to the next so that none of them pays for new pages. */
final class BlockMemory {
    private ByteBuffer memory = ByteBuffer.allocateDirect(0);

    /** So many buffers of a size; the next call may give the same memory. */
    List<ByteBuffer> buffers(int number, int size) {
        if (memory.capacity() < number * size) {
            memory = ByteBuffer.allocateDirect(number * size);
        }
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            buffers.add(memory.slice(i * size, size));
        }
        return buffers;
    }
}
