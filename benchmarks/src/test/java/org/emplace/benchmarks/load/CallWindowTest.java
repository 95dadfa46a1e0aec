// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.Load.Operation;
import org.junit.jupiter.api.Test;

class CallWindowTest {
    private final List<String> seen = new ArrayList<>();

    private final CallWindow.Caller<Integer> caller = new CallWindow.Caller<>() {
        @Override
        public Integer start(Load load, int number) {
            seen.add("start " + number);
            return number;
        }

        @Override
        public void finish(Integer call) {
            seen.add("finish " + call);
        }
    };

    @Test
    void noMoreCallsAreUnderWayThanTheLoadSays() throws Exception {
        Histogram durations = new Histogram(3);

        CallWindow.run(caller, new Load(Operation.NULL, 0, 2, 3), durations);

        assertThat(seen).containsExactly("start 0", "start 1", "finish 0", "start 2", "finish 1", "finish 2");
        assertThat(durations.getTotalCount()).isEqualTo(3);
    }

    @Test
    void fewerCallsThanMayBeUnderWayAreAllWaitedFor() throws Exception {
        CallWindow.run(caller, new Load(Operation.NULL, 0, 4, 2), new Histogram(3));

        assertThat(seen).containsExactly("start 0", "start 1", "finish 0", "finish 1");
    }
}
