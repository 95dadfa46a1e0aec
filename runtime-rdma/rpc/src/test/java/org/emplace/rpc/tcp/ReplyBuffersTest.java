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
        assertThat(buffers.take(capacity).capacity()).isEqualTo(capacity);
    }

    @Test
    void aBufferThatWasGivenBackServesTheNextReply() {
        ByteBuffer first = buffers.take(MIB);
        buffers.giveBack(first);
        assertThat(buffers.take(MIB)).isSameAs(first);
        assertThat(buffers.take(MIB)).isNotSameAs(first);
    }

    @Test
    void buffersBeyondTheLimitAreNotKept() {
        ByteBuffer small = buffers.take(1024);
        ByteBuffer large = buffers.take(2 * MIB);
        buffers.giveBack(small);
        buffers.giveBack(large);
        assertThat(buffers.take(2 * MIB)).isNotSameAs(large);
        assertThat(buffers.take(1024)).isSameAs(small);
    }
}
