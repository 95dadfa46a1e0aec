// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;
import org.emplace.benchmarks.process.JavaPair;
import org.emplace.benchmarks.process.LineProgram;
import org.emplace.benchmarks.process.Placement;
import org.emplace.benchmarks.server.ServerProgram;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile clients in a process of their own, as the benchmarks run them. */
@Timeout(300)
class AttackProgramTest {
    private static final List<String> IWARP = List.of("-Dorg.emplace.rdma.provider=iwarp");
    private static final Load LOAD = new Load(Operation.READ, 4096, 1, 5);

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aClientIsServedDuringEveryAttack(String scheme) throws Exception {
        try (JavaPair pair = JavaPair.start("pair", "127.0.0.1", scheme, scheme, 1, Placement.ANYWHERE, IWARP);
                LineProgram discard =
                        LineProgram.java(ServerProgram.class, List.of(), List.of(), "discard://127.0.0.1:0");
                LineProgram attackers = LineProgram.java(AttackProgram.class, List.of(), List.of())) {
            String discarding = discard.answer().replace("listening ", "");
            assertThat(attackers.answer()).isEqualTo("ready");
            for (Attack attack : Attack.values()) {
                for (String target : List.of(scheme + "-discard " + discarding, scheme + " " + pair.port())) {
                    assertThat(attackers.ask("start " + attack + " " + target)).isEqualTo("started");

                    assertThat(pair.measure(LOAD).value()).isPositive();

                    String[] counts = attackers.ask("stop").split(" ", -1);
                    assertThat(Long.parseLong(counts[0]))
                            .as("bytes sent: %s to %s", attack, target)
                            .isGreaterThanOrEqualTo(attack == Attack.CONNECTIONS ? 0 : 1);
                    assertThat(Integer.parseInt(counts[1])).isGreaterThanOrEqualTo(attack.connections());
                }
            }
        }
    }
}
