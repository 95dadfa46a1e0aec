// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreKindTest {
    /** A name of 255 bytes takes up to 2 KiB. */
    @ParameterizedTest
    @CsvSource({
        "64, 1, 16384",
        "256, 1, 65536",
        "256, 4, 16384",
        "2048, 1, 524288",
        "65536, 1, 524288",
        "64, 1000, 1024"
    })
    void whatStoresRememberOfNamesTakesHalfOfTheMemoryAtMost(long mebibytes, int stores, int names) {
        assertThat(StoreKind.names(mebibytes << 20, stores)).isEqualTo(names);
    }
}
