// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.provider.RdmaCounters;
import org.junit.jupiter.api.Test;

/** Which STags a peer may use. */
final class AccessTableTest {
    private final RdmaCounters counters = new RdmaCounters("test");
    private final Region region = new Region(ByteBuffer.allocateDirect(8), counters);
    private final AccessTable table = new AccessTable(
            new SecureRandom(),
            Exposure::fenced,
            counters.connectionOpened(new InetSocketAddress(0), new InetSocketAddress(0)));

    @Test
    void thoseTakenBackLatelyMayBeInvalidated() throws Exception {
        List<Integer> stags = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            Exposure exposure = table.expose(region.segment(0, 8), Right.REMOTE_READ);
            assertThat(table.find(exposure.stag())).isSameAs(exposure);
            table.retire(exposure);
            assertThat(table.find(exposure.stag())).isNull();
            stags.add(exposure.stag());

            assertThat(stags.subList(Math.max(0, stags.size() - 1_000), stags.size()))
                    .allMatch(table::mayInvalidate);
        }
        assertThat(stags.subList(0, 1_000)).noneMatch(table::mayInvalidate);
    }

    /** Each STag has its own place in the table, also when the table has grown. */
    @Test
    void allExposuresAreFoundUntilTheyEnd() throws Exception {
        List<Exposure> exposures = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            exposures.add(table.expose(region.segment(0, 8), Right.REMOTE_READ));
        }
        assertThat(exposures).allMatch(exposure -> table.find(exposure.stag()) == exposure);
        assertThat(exposures).noneMatch(exposure -> table.find(exposure.stag() ^ 0x8000_0000) == exposure);

        exposures.subList(0, 500).forEach(table::retire);

        assertThat(exposures.subList(0, 500)).allMatch(exposure -> table.find(exposure.stag()) == null);
        assertThat(exposures.subList(500, 1_000)).allMatch(exposure -> table.find(exposure.stag()) == exposure);
        assertThat(table.close()).containsExactlyInAnyOrderElementsOf(exposures.subList(500, 1_000));
        exposures.subList(500, 1_000).forEach(table::retire);
        assertThat(table.isExposing()).isFalse();
        assertThatThrownBy(() -> table.expose(region.segment(0, 8), Right.REMOTE_READ))
                .isInstanceOf(RdmaException.class);
    }
}
