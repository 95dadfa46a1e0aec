// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.darpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class EmptyMessageTest {
    private final EmptyMessage message = new EmptyMessage();
    private final ByteBuffer buffer = ByteBuffer.allocate(2 * EmptyMessage.SIZE);

    @Test
    void aMessageIsAsLongAsItSays() {
        assertThat(message.write(buffer)).isEqualTo(message.size()).isEqualTo(buffer.position());

        message.update(buffer.flip());

        assertThat(buffer.hasRemaining()).isFalse();
    }

    @Test
    void aMessageThatArrivesDamagedIsRefused() {
        message.write(buffer);
        buffer.flip().putInt(8, -1);

        assertThatThrownBy(() -> message.update(buffer))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("word 8 of a message is -1");
    }
}
