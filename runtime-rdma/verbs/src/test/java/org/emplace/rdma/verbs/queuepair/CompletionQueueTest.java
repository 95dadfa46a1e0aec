// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.emplace.rdma.verbs.jni.NativeLibrary;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Completions in the layout that C writes. */
class CompletionQueueTest {
    private static final int RECEIVE = 128;
    private static final int RECEIVE_OF_A_WRITE_WITH_IMMEDIATE = 129;

    @BeforeAll
    static void load() {
        assertThat(NativeLibrary.unavailable()).isEmpty();
    }

    @Test
    void aReceiveHasTheLengthOfItsMessage() {
        assertThat(completion(RECEIVE, 100).length(0)).isEqualTo(100);
    }

    @Test
    void aWriteWithImmediateDataHasPutNothingIntoItsReceive() {
        assertThat(completion(RECEIVE_OF_A_WRITE_WITH_IMMEDIATE, 1 << 20).length(0))
                .isZero();
    }

    private static CompletionQueue.Batch completion(int opcode, int length) {
        int[] layout = NativeLibrary.layout(NativeLibrary.COMPLETION);
        ByteBuffer bytes = ByteBuffer.allocateDirect(layout[0]).order(ByteOrder.nativeOrder());
        bytes.putInt(layout[3], opcode).putInt(layout[4], length);
        return new CompletionQueue.Batch(bytes);
    }
}
