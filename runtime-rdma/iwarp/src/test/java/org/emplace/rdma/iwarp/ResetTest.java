// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.WorkRequest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a connection whose peer has not read yet what was sent. */
@Timeout(60)
final class ResetTest {
    /** More than the sockets' buffers. */
    private static final int LONG = 32 << 20;

    private static final String SEND_OF_ONE_BYTE = "4143 00000000 00000000 00000001 00000000 01";

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aResetDiscardsWhatTheSystemHasNotDeliveredAndACloseDeliversIt(boolean reset) throws Exception {
        try (RawPeerSession session = RawPeerSession.established();
                MemoryRegion memory = session.provider.register(ByteBuffer.allocateDirect(LONG))) {
            session.peer.sendFpdu(SEND_OF_ONE_BYTE); // the initiator sends first
            session.handler.next();
            session.queuePair().post(new WorkRequest.Send(1, List.of(memory.segment(0, LONG)), OptionalInt.empty()));
            if (reset) {
                session.queuePair().reset();
            } else {
                session.queuePair().close();
            }
            assertThat(session.peer.endsByReset()).isEqualTo(reset);
        }
    }
}
