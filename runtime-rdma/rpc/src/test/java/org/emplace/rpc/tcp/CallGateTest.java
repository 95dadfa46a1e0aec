// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rpc.limits.ConnectionLimit.IdleTime;
import org.junit.jupiter.api.Test;

/** Calls wait for credits, and none is lost without notice. */
class CallGateTest {
    private final List<ByteBuffer> dropped = new ArrayList<>();
    private final CallGate gate = new CallGate(1, 1000, new IdleTime(() -> 0), dropped::add);

    @Test
    void callsThatAreNotAdmittedBeforeTheEndAreDropped() {
        ByteBuffer admitted = ByteBuffer.allocate(1);
        ByteBuffer waiting = ByteBuffer.allocate(2);
        ByteBuffer late = ByteBuffer.allocate(3);
        gate.enter(admitted);
        gate.enter(waiting);
        assertThat(gate.next()).isSameAs(admitted);

        gate.close();
        gate.enter(late);

        assertThat(dropped).containsExactly(waiting, late);
        gate.restoreCredit();
        assertThat(gate.next()).isNull();
    }

    @Test
    void aPeerWithoutACreditIsReadOnlyWhileRepliesMayFollow() {
        assertThat(gate.hasCredit()).isTrue();
        gate.enter(ByteBuffer.allocate(1));
        assertThat(gate.hasCredit()).isFalse();
        gate.next();
        assertThat(gate.hasCredit()).isFalse();

        assertThat(gate.restoreCredit()).isFalse();
        assertThat(gate.hasCredit()).isTrue();
    }

    @Test
    void callsBeyondTheCreditsAreKeptUpToALimitOfBytes() {
        assertThat(gate.enter(ByteBuffer.allocate(4000))).isTrue();
        gate.next();

        assertThat(gate.enter(ByteBuffer.allocate(500))).isTrue();
        assertThat(gate.enter(ByteBuffer.allocate(500))).isFalse();
    }
}
