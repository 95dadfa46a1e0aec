// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.Completion.Operation;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.WorkRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The number of system calls for small messages. */
final class SocketCallsTest {
    private static final int LENGTH = 100;
    private static final int ROUNDS = ConnectedPair.RECEIVES - 1;

    private final Wiretap initiatorTap = new Wiretap();
    private final Wiretap responderTap = new Wiretap();
    private ConnectedPair pair;
    private MemoryRegion ping;
    private MemoryRegion pong;

    @BeforeEach
    void connect() throws Exception {
        pair = new ConnectedPair(
                IwarpProvider.open(IwarpOptions.DEFAULTS, initiatorTap::on),
                IwarpProvider.open(IwarpOptions.DEFAULTS, responderTap::on));
        ping = ConnectedPair.region(pair.initiator, LENGTH);
        pong = ConnectedPair.region(pair.responder, LENGTH);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void anIsolatedSendTakesOneReadAndOneWrite() throws Exception {
        exchange();
        int reads = initiatorTap.reads() + responderTap.reads();
        int writes = initiatorTap.writes() + responderTap.writes();

        for (int round = 0; round < ROUNDS; round++) {
            exchange();
        }

        assertThat(initiatorTap.reads() + responderTap.reads() - reads).isEqualTo(2 * ROUNDS);
        assertThat(initiatorTap.writes() + responderTap.writes() - writes).isEqualTo(2 * ROUNDS);
    }

    private void exchange() throws Exception {
        send(pair.initiatorPair, ping, pair.initiatorHandler, pair.responderHandler);
        send(pair.responderPair, pong, pair.responderHandler, pair.initiatorHandler);
    }

    private static void send(QueuePair from, MemoryRegion bytes, RecordingHandler sender, RecordingHandler receiver)
            throws Exception {
        from.post(new WorkRequest.Send(1, List.of(bytes.segment(0, LENGTH)), OptionalInt.empty()));
        assertThat(sender.next().operation()).isEqualTo(Operation.SEND);
        assertThat(receiver.next().operation()).isEqualTo(Operation.RECEIVE);
    }
}
