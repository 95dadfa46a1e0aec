// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplyBuffersTest {
    private static final int MIB = 1 << 20;

    private final ReplyBuffers buffers = new ReplyBuffers(2 * MIB);

    @ParameterizedTest
    @CsvSource({
        "0, 1024",
        "1, 1024",
        "1025, 2048",
        "4096, 4096",
        "1048576, 1048576",
        "1048577, 2097152",
        "5000000, 5000000"
    })
    void aBufferHasRoomForTheBytes(int size, int capacity) {
        assertThat(ReplyBuffers.capacity(size)).isEqualTo(capacity);
        assertThat(buffers.acquire(capacity).capacity()).isEqualTo(capacity);
    }

    @Test
    void aReleasedBufferServesTheNextReply() {
        ByteBuffer first = buffers.acquire(MIB);
        buffers.release(first);
        assertThat(buffers.acquire(MIB)).isSameAs(first);
        assertThat(buffers.acquire(MIB)).isNotSameAs(first);
    }

    @Test
    void buffersBeyondTheLimitAreNotKept() {
        ByteBuffer small = buffers.acquire(1024);
        ByteBuffer large = buffers.acquire(2 * MIB);
        buffers.release(small);
        buffers.release(large);
        assertThat(buffers.acquire(2 * MIB)).isNotSameAs(large);
        assertThat(buffers.acquire(1024)).isSameAs(small);
    }
}
