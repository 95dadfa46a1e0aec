// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.xdr.XdrDecoder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The views of a pooled buffer that begins within its region. */
final class PooledBufferTest {
    private static final int SIZE = 1024;

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final PooledBuffer buffer;

    PooledBufferTest() throws Exception {
        RegisteredPool pool = new RegisteredPool(provider, 1 << 20);
        PooledBuffer first = pool.acquire(SIZE);
        PooledBuffer second = pool.acquire(SIZE);
        buffer = second.segment(0, 1).offset() > 0 ? second : first;
    }

    @Test
    void aPartIsTheBuffersOwnMemory() {
        buffer.view().putInt(100, 42);

        List<MemorySegment> part = buffer.gather(100, 4);
        assertThat(part).containsExactly(buffer.segment(100, 4));
        assertThat(part.get(0).buffer().getInt()).isEqualTo(42);
        assertThatThrownBy(() -> buffer.gather(SIZE, 4)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void onlyTheSamePartIsTheSameList() {
        List<MemorySegment> part = buffer.gather(100, 4);
        assertThat(buffer.gather(100, 4)).isSameAs(part);

        assertThat(buffer.gather(100, 8)).containsExactly(buffer.segment(100, 8));
        assertThat(buffer.gather(104, 8)).containsExactly(buffer.segment(104, 8));
    }

    /** Each message has its own length. */
    @Test
    void theDecoderReadsOneMessageAfterAnother() throws Exception {
        buffer.view().putInt(1).putInt(2);
        XdrDecoder decoder = buffer.decoder(8);
        assertThat(decoder.readInt()).isEqualTo(1);
        assertThat(decoder.readInt()).isEqualTo(2);

        buffer.view().putInt(3);
        assertThat(buffer.decoder(4)).isSameAs(decoder);
        assertThat(decoder.readInt()).isEqualTo(3);
        assertThat(decoder.remaining()).isZero();
    }
}
