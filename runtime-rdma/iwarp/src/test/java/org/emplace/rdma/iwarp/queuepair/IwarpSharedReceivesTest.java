// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.iwarp.memory.Region;
import org.emplace.rdma.iwarp.queuepair.IwarpSharedReceives.IwarpReceiveQueue;
import org.emplace.rdma.provider.RdmaCounters;
import org.emplace.reactor.Peer;
import org.junit.jupiter.api.Test;

/** Who gets the next Receive of a shared queue that is empty. */
final class IwarpSharedReceivesTest {
    private final RdmaCounters counters = new RdmaCounters("test");
    private final IwarpSharedReceives shared = new IwarpSharedReceives(8, counters);
    private final Region memory = new Region(ByteBuffer.allocateDirect(16), counters);
    private final List<String> supplied = new ArrayList<>();

    @Test
    void peersThatWaitTakeTurns() throws Exception {
        waits(1, "many 1");
        waits(1, "many 2");
        waits(1, "many 3");
        waits(2, "one");

        post(4);
        assertThat(supplied).containsExactly("many 1", "one", "many 2", "many 3");
    }

    @Test
    void aConnectionThatHasEndedHasNoTurn() throws Exception {
        IwarpReceiveQueue ended = waits(1, "ended");
        waits(2, "other");
        waits(2, "other's second");
        ended.flush();
        waits(1, "new");

        post(3);
        assertThat(supplied).containsExactly("other", "new", "other's second");
    }

    /** Begins to wait, unless a Receive is there. */
    private IwarpReceiveQueue waits(int host, String name) throws Exception {
        Peer peer = Peer.of(InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) host}));
        IwarpReceiveQueue taker = shared.takenBy(peer, Runnable::run, receive -> supplied.add(name));
        taker.poll(false);
        return taker;
    }

    private void post(int receives) {
        for (int i = 0; i < receives; i++) {
            shared.postReceive(new ReceiveRequest(i, memory.segment(0, 16)));
        }
    }
}
