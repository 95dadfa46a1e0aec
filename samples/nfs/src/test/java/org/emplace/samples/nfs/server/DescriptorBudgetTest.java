// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.emplace.samples.nfs.server.NfsServer.Capacity;
import org.emplace.samples.nfs.server.store.posix.PosixOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file descriptors of a process are divided among everything that clients can make it keep open. */
class DescriptorBudgetTest {
    private static final int THREADS = 16;

    private static long used(DescriptorBudget budget, int stores) {
        PosixOptions kept = StoreKind.posixOptions(budget.eachStore());
        long each = 2L * kept.openFiles() + kept.listings() + kept.located();
        return 256 + 8 * THREADS + 2L * budget.connections() + stores * each;
    }

    @ParameterizedTest
    @CsvSource({
        "512, 1024, 1",
        "1024, 1024, 1",
        "1024, 8, 1",
        "1024, 1024, 17",
        "4096, 1024, 1",
        "4096, 1024, 20",
        "4096, 4000, 3",
        "1048576, 1024, 1",
        "1048576, 1024, 500",
        "1048576, 400000000, 20"
    })
    void whatClientsCanKeepOpenFits(long limit, int connections, int stores) throws IOException {
        DescriptorBudget budget = DescriptorBudget.of(limit, new Capacity(connections, THREADS, 64), stores);
        assertThat(used(budget, stores)).isLessThanOrEqualTo(limit);
        assertThat(budget.connections()).isBetween(8, connections);
        assertThat(StoreKind.openFiles(budget.eachStore())).isBetween(8, 256);
    }

    @Test
    void withEnoughDescriptorsNothingIsReduced() throws IOException {
        DescriptorBudget budget = DescriptorBudget.of(1 << 20, Capacity.DEFAULT, 10);
        assertThat(budget.connections()).isEqualTo(1024);
        assertThat(StoreKind.openFiles(budget.eachStore())).isEqualTo(256);
    }

    @ParameterizedTest
    @CsvSource({"256, 1", "400, 1", "1024, 50"})
    void aServerThatHasTooFewDoesNotStart(long limit, int stores) {
        assertThatThrownBy(() -> DescriptorBudget.of(limit, Capacity.DEFAULT, stores))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("raise the limit to at least")
                .hasMessageContaining("LimitNOFILE");
    }

    /** The message says how many are enough. */
    @ParameterizedTest
    @CsvSource({"1", "3", "50"})
    void theLimitInTheMessageIsEnough(int stores) throws IOException {
        long needed = 0;
        try {
            DescriptorBudget.of(1, Capacity.DEFAULT, stores);
        } catch (IOException tooFew) {
            needed = Long.parseLong(String.valueOf(tooFew.getMessage()).replaceFirst(".* at least ([0-9]+),.*", "$1"));
        }
        assertThat(DescriptorBudget.of(needed, Capacity.DEFAULT, stores).connections())
                .isPositive();
    }
}
