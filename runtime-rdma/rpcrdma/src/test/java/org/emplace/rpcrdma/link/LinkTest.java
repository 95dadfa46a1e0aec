// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.reactor.Timekeeper;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The events that a link passes on to its connection. */
final class LinkTest {
    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final TestLink peer = new TestLink(provider, Timekeeper.system("test"));
    private final Link link = peer.link;

    LinkTest() throws Exception {}

    @Test
    void threadsThatWaitHelpTheConnection() {
        link.pollUntil(() -> true);
        link.wakePoller();

        assertThat(peer.calls).containsExactly("pollUntil", "wakePoller");
    }

    @Test
    void messagesNameTheConnectionAndTheCall() {
        assertThat(link.call(0x5eed)).isEqualTo("test xid 0x00005eed");
    }
}
