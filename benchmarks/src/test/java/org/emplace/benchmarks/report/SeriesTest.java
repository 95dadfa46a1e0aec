// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesTest {

    @Test
    void theMedianIsTheOneInTheMiddleWhateverTheOrder() {
        assertThat(new Series(List.of(9.0, 1.0, 5.0)).toText(1)).isEqualTo("5.0 (1.0–9.0)");
    }

    @Test
    void aRatioIsThatOfTheSameRun() {
        Series ours = new Series(List.of(10.0, 90.0));
        Series peer = new Series(List.of(20.0, 30.0));

        assertThat(ours.dividedBy(peer).values()).containsExactly(0.5, 3.0);
    }
}
