// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.emplace.reactor.Peer;
import org.emplace.rpc.limits.MemoryShares;
import org.emplace.rpc.tcp.RecordReader.RecordMemory;
import org.junit.jupiter.api.Test;

class RecordMemoryTest {
    private static final int GIBIBYTE = 1 << 30;

    @Test
    void recordsThatUseMoreThanTwoGibibytesCount() {
        MemoryShares shares = new MemoryShares(16L * GIBIBYTE, refusal -> {});
        MemoryShares.Share share = shares.connection(Peer.of(InetAddress.getLoopbackAddress()));
        RecordMemory memory = new RecordMemory(share, GIBIBYTE, Runnable::run, () -> false);
        int received = 0;
        while (received < 16 && memory.grow(GIBIBYTE)) {
            memory.complete();
            received++;
        }
        // Three quarters of all memory, and one record for which the connection borrows.
        assertThat(received).isEqualTo(13);
    }
}
