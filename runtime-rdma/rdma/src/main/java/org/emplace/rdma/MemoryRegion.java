// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.nio.ByteBuffer;

/**
 * Memory registered with a provider. The region keeps its buffer reachable; closing deregisters and never frees, so a buffer that
 * escaped stays safe to use.
 */
public interface MemoryRegion extends AutoCloseable {

    /** The registered bytes, position 0, limit {@link #length()}; a new view each time. */
    ByteBuffer buffer();

    /** Bytes registered. */
    int length();

    /** Whether the memory is still registered. */
    boolean isOpen();

    /** The part of this region from {@code offset} on. */
    default MemorySegment segment(int offset, int length) {
        return new MemorySegment(this, offset, length);
    }

    /** Deregisters without waiting. Work requests that still name the region end in error, and remote access to it ends. Idempotent. */
    @Override
    void close();
}
