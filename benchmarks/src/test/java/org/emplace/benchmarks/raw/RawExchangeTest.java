// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.raw;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RawExchangeTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneConnectionServesAllLoadsOneAfterTheOther(boolean crc) throws Exception {
        Histogram durations = new Histogram(3);
        try (RawServer server = new RawServer(LOOPBACK);
                RawClient client = new RawClient(server.address(), 1, crc)) {
            client.run(new Load(Operation.NULL, 0, 1, 3), durations);
            client.run(new Load(Operation.READ, 1 << 20, 2, 5), durations);
            client.run(new Load(Operation.WRITE, 1 << 20, 2, 5), durations);
            client.run(new Load(Operation.WRITE, 4096, 1, 4), durations);
        }

        assertThat(durations.getTotalCount()).isEqualTo(3 + 5 + 5 + 4);
    }

    @Test
    void aLoadIsSpreadOverAllConnections() throws Exception {
        Histogram durations = new Histogram(3);
        try (RawServer server = new RawServer(LOOPBACK);
                RawClient client = new RawClient(server.address(), 3, true)) {
            client.run(new Load(Operation.NULL, 0, 4, 10), durations);
            client.run(new Load(Operation.NULL, 0, 4, 2), durations);
        }

        assertThat(durations.getTotalCount()).isEqualTo(10 + 2);
    }
}
