// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.emplace.benchmarks.load.Footprint;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients and servers in their own processes, as the benchmarks run them. */
@Timeout(120)
class ProgramsTest {
    private static final List<String> IWARP = List.of("-Dorg.emplace.rdma.provider=iwarp");

    @ParameterizedTest
    @CsvSource({"rdma, rdma", "tcp, tcp", "tcp, nfs-client", "grpc, grpc", "raw, raw-crc"})
    void aClientPutsEveryKindOfLoadOnItsServer(String server, String client) throws Exception {
        try (JavaPair pair = JavaPair.start("pair", "127.0.0.1", server, client, 1, Placement.APART, IWARP)) {
            for (Load load : List.of(
                    new Load(Operation.NULL, 0, 1, 20),
                    new Load(Operation.READ, 4096, 4, 20),
                    new Load(Operation.WRITE, 1 << 20, 2, 8))) {
                Measured measured = pair.measure(load);

                assertThat(measured.value()).isPositive();
                assertThat(measured.cpuPerCall()).isPositive();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp", "grpc"})
    void callsWaitUntilTheServerReleasesThem(String scheme) throws Exception {
        try (ConnectionPair pair = ConnectionPair.start(scheme, IWARP)) {
            Footprint before = pair.footprint();
            assertThat(pair.open(3)).isPositive();
            pair.hold(200);

            assertThat(pair.footprint().minus(before).heap()).isPositive();

            pair.release();
            pair.closeConnections();
        }
    }
}
