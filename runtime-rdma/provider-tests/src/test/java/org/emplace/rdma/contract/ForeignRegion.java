// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import java.nio.ByteBuffer;
import org.emplace.rdma.MemoryRegion;

/** Memory that no provider has registered. */
final class ForeignRegion implements MemoryRegion {

    @Override
    public ByteBuffer buffer() {
        return ByteBuffer.allocateDirect(length());
    }

    @Override
    public int length() {
        return 16;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
